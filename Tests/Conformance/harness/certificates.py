"""Keys and certificates of tests: an authority, and those that it signs."""

import datetime
from dataclasses import dataclass
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

DAY = datetime.timedelta(days=1)


@dataclass(frozen=True)
class Pair:
    """A private key and its certificates, in PEM."""

    key: bytes
    certificates: bytes
    serial: int


class Authority:
    """Signs certificates."""

    def __init__(self, name: str = "Belfry's tests") -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        self._certificate = self._built(
            self._name, self._key.public_key(), x509.BasicConstraints(ca=True, path_length=1)
        ).sign(self._key, hashes.SHA256())
        self.roots = self._certificate.public_bytes(serialization.Encoding.PEM)

    def _built(
        self,
        name: x509.Name,
        key: ec.EllipticCurvePublicKey,
        constraints: x509.BasicConstraints,
        begin: datetime.timedelta = -DAY,
        end: datetime.timedelta = 30 * DAY,
    ) -> x509.CertificateBuilder:
        now = datetime.datetime.now(datetime.UTC)
        return (
            x509.CertificateBuilder()
            .subject_name(name)
            .issuer_name(self._name)
            .public_key(key)
            .serial_number(x509.random_serial_number())
            .not_valid_before(now + begin)
            .not_valid_after(now + end)
            .add_extension(constraints, critical=True)
        )

    def pair(
        self,
        name: str = "localhost",
        *,
        is_server: bool = True,
        begin: datetime.timedelta = -DAY,
        end: datetime.timedelta = 30 * DAY,
        password: bytes | None = None,
        has_alternative: bool = True,
    ) -> Pair:
        """A new key, and a certificate for it that names a server or a client."""
        key = ec.generate_private_key(ec.SECP256R1())
        usage = ExtendedKeyUsageOID.SERVER_AUTH if is_server else ExtendedKeyUsageOID.CLIENT_AUTH
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        builder = self._built(
            subject, key.public_key(), x509.BasicConstraints(ca=False, path_length=None), begin, end
        ).add_extension(x509.ExtendedKeyUsage([usage]), critical=False)
        if has_alternative:
            names = x509.SubjectAlternativeName([x509.DNSName(name)])
            builder = builder.add_extension(names, critical=False)
        certificate = builder.sign(self._key, hashes.SHA256())
        protection: serialization.KeySerializationEncryption = serialization.NoEncryption()
        if password is not None:
            protection = serialization.BestAvailableEncryption(password)
        return Pair(
            key.private_bytes(
                serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, protection
            ),
            certificate.public_bytes(serialization.Encoding.PEM),
            certificate.serial_number,
        )


def place(home: Path, pair: Pair) -> tuple[Path, Path]:
    """Writes the files of a server's pair, each at once."""
    return (
        replace(home / "certificate.pem", pair.certificates),
        replace(home / "key.pem", pair.key),
    )


def replace(path: Path, text: bytes) -> Path:
    """Writes a file at once: a reader sees the old text or the new one."""
    new = path.with_suffix(".new")
    new.write_bytes(text)
    new.chmod(0o600)
    new.replace(path)
    return path
