# What goes along with the program, for .dist/build and .dist/wheel: $program is what they pack.

# What a bare Debian has. Everything else that the program is linked with goes along.
bare=(libc6 libgcc-s1 libstdc++6 zlib1g)

# The Debian package of a library; nothing for one of Swift's.
owner() {
    local path
    # dpkg knows many by the path that they had before /lib became a link.
    for path in "$1" "${1#/usr}"; do
        dpkg -S "$path" 2>/dev/null | cut -d: -f1 && return
    done
    return 0
}

# The libraries that go along: a name, a path and a package in each line.
carried_libraries() {
    local library path package
    while read -r library path; do
        path=$(realpath "$path")
        package=$(owner "$path")
        [[ " ${bare[*]} " == *" $package "* ]] || echo "$library $path $package"
    done < <(ldd "$program" | awk '$2 == "=>" { print $1, $3 }')
}

# Of what is linked into the program, of Swift's libraries, and of those that go along.
ship_licences() {
    local licences=$1 libraries pins package file
    cp "$(dirname "$(realpath "$(command -v swift)")")/../share/swift/LICENSE.txt" "$licences/swift"
    # Swift's lib_FoundationICU is ICU, and comes without ICU's licence.
    cp /usr/share/doc/libicu72/copyright "$licences/icu"
    libraries=$(carried_libraries | awk '{ print $3 }')
    for package in libgrpc-dev libabsl-dev libre2-dev libc-ares-dev liblmdb-dev \
        node-qrcode-generator $libraries; do
        cp "/usr/share/doc/$package/copyright" "$licences/$package"
    done
    pins=$(python3 -c 'import json
for pin in json.load(open("Package.resolved"))["pins"]: print(pin["identity"])')
    for package in $pins; do
        for file in .build/checkouts/"$package"/{LICENSE,NOTICE}{,.txt,.md}; do
            [ ! -f "$file" ] || cat "$file" >>"$licences/$package"
        done
        [ -s "$licences/$package" ] || { echo "$package has no licence" >&2; exit 1; }
    done
}
