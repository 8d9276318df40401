const OLDEST = 24;

/** Ends the process with a message if its Node is too old. Call this before other modules are loaded: they fail under an older Node. */
export function requireNode(version = process.versions.node): void {
  if (Number(version.split('.', 1)[0]) >= OLDEST) return;
  process.stderr.write(
    `Parlance needs Node ${OLDEST} or newer, and this is Node ${version}. Start it with \`npm start\`, which brings its own Node, or install a newer one.\n`,
  );
  process.exit(1);
}
