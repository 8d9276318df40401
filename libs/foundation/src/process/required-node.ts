const LEAST = 24;

/** Ends the process with a line that says why if its Node is too old. Call it before other modules are loaded: they fail under an older Node. */
export function requireNode(version = process.versions.node): void {
  if (Number(version.split('.', 1)[0]) >= LEAST) return;
  process.stderr.write(
    `Parlance needs Node ${LEAST} or newer, and this is Node ${version}. Start it with \`npm start\`, which brings its own Node, or install a newer one.\n`,
  );
  process.exit(1);
}
