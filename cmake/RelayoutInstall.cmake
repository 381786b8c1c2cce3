# Installation: headers of both include roots merged, libraries, tools, package.
