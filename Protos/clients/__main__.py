"""Writes what the clients in `Clients` have of the protos, beside what generators make.

    python3 Protos/clients SET BELFRY_JS DIRECTORY

SET is a FileDescriptorSet with comments, BELFRY_JS the module whose end is written anew. DIRECTORY
gets belfry.js, contract.d.ts and reasons.go. Protos/generate.sh runs this.
"""

import sys
from pathlib import Path

# What reads the contract is the same as for the description of HTTP.
sys.path.append(str(Path(__file__).parent.parent / "openapi"))

import contract as protos  # noqa: E402
import go  # noqa: E402
import javascript  # noqa: E402
import typescript  # noqa: E402


def main() -> int:
    if len(sys.argv) != 4:
        print("usage: python3 Protos/clients SET BELFRY_JS DIRECTORY", file=sys.stderr)
        return 64
    contract, directory = protos.read(Path(sys.argv[1])), Path(sys.argv[3])
    module = javascript.module(Path(sys.argv[2]).read_text(), contract)
    (directory / "belfry.js").write_text(module)
    (directory / "contract.d.ts").write_text(typescript.declarations(contract))
    (directory / "reasons.go").write_text(go.reasons(contract))
    return 0


if __name__ == "__main__":
    sys.exit(main())
