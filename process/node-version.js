// Loaded before everything else, by Node of any version: what comes after it needs this one.
const OLDEST = 24

if (Number.parseInt(process.versions.node, 10) < OLDEST) {
  process.stderr.write(
    `The platform cannot start: it needs Node ${OLDEST} or newer, and this is ${process.version}. npm ci installs one ` +
      'for npm start, unless scripts of packages are switched off (npm ci --ignore-scripts=false)\n'
  )
  process.exit(1)
}
