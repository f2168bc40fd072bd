"""Words title case must not recase: acronyms, and names written in their owners' way."""

from functools import cache

_ACRONYMS = """
    2FA ABI ACL AES AI AJAX AMI AMQP ANSI API APIs APM APT ARM ARN ASCII ASGI AST AWS AZ BGP BIOS
    BOM BSD CDN CDP CGI CI CIDR CLI CMS CNAME CORS CPU CPUs CRC CRD CRDs CRUD CSP CSR CSRF CSS CSV
    CUDA CVE CVEs DAG DB DBA DDL DDoS DHCP DLL DLP DML DNS DNSSEC DOI DOM DOS DRM DSL DTD DTO EBS
    EC2 ECS EKS EKU ELB ELF EOF EOL ETL FAQ FAQs FFI FIFO FPGA FQDN FTP GC GCC GCP GDB GDPR GIF
    GKE GNU GPG GPL GPU GPUs GSSAPI GTK GUI GUID HA HDFS HDMI HDR HIPAA HMAC HPC HSM HTML HTTP
    HTTP2 HTTPS IAM IANA ICMP IDE IDEs IDL IEEE IETF IIS IMAP IoT IP IPC IPs IPsec IPv4 IPv6 IRC
    ISBN ISO ISP JAR JDBC JDK JIT JMS JMX JNDI JPA JPEG JPG JRE JSON JSONP JSP JSX JVM JWK JWKS
    JWT JWTs K8s KMS KPI KPIs KVM LAN LDAP LDAPS LLC LLM LLMs LLVM LRU LTS LVM MAC MCP MFA MIME
    MIT ML MPI MQTT MTU MVC MVP NAT NFS NIC NIST NLP NTLM NTP NUMA NVMe OAuth OCI OCR ODBC OIDC
    OLAP OLTP OOM OOP ORM OS OSI OSS OTP OWASP PAM PCI PDF PDFs PEM PEP PGP PHP PID PII PKCS PKI
    PNG POC POSIX PR PRs PWA QA QoS QPS RAID RAM RBAC RDBMS RDP RDS README REPL REST RFC RFCs RGB
    ROI RPC RPM RSA RSS RTT S3 SaaS SAML SAN SASL SBOM SCIM SCP SCSI SDK SDKs SEO SFTP SHA SHA256
    SIGINT SIGKILL SIGTERM SLA SLAs SLI SLO SLOs SMB SMS SMTP SNI SNMP SOA SOAP SOC2 SPA SPF SQL
    SQS SRE SSD SSH SSL SSO SSR STDERR STDIN STDOUT STS SVG SVN SWIG TCP TDD TFTP TIFF TLS TODO
    TOML TOTP TPM TSV TTL TTY UAT UDP UEFI UI UID ULID UML UNC UPS URI URIs URL URLs URN USB UTC
    UTF UTF8 UUID UUIDs UX VCS VLAN VM VMs VNC VoIP VPC VPN VPS W3C WAF WAL WAN WASM WCAG WSDL
    WSGI WSL WWW WYSIWYG XHTML XHR XML XMPP XPath XSD XSLT XSRF XSS YAML ZIP ZFS
"""
_NAMES = """
    aiohttp asyncio bash cURL curl Django Docker eBay eslint FastAPI ffmpeg Flask GitHub GitLab
    GraphQL gRPC grep gulp httpx iOS iPad iPadOS iPhone IntelliJ JavaScript jQuery Kubernetes
    kubectl LaTeX LibreOffice macOS MariaDB matplotlib MongoDB mypy MySQL nginx npm NumPy numpy
    OAuth2 OpenAPI OpenID OpenSSL pandas PEP8 pip pipx pnpm Podman PostgreSQL PowerShell PyPI
    PyTorch pytest RabbitMQ SQLAlchemy SQLite sudo systemd TensorFlow tmux tox TypeScript uv
    vim VirtualBox virtualenv watchOS webpack WebSocket WebSockets WordPress xUnit YouTube zsh
"""


@cache
def spelling_table(extra: frozenset[str]) -> dict[str, str]:
    """Lower-case word to its one spelling; `extra` wins over the maintained lists."""
    # Sorted, so that of two spellings of one word the same wins in every process.
    listed = sorted([*_ACRONYMS.split(), *_NAMES.split()]) + sorted(extra)
    return {spelling.lower(): spelling for spelling in listed}
