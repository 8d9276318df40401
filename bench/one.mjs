// Runs one bench in this process, which leads a process group of its own, and tells run.mjs what it found.
const [name, form] = process.argv.slice(2);
// Whoever started it is gone: so is everything that it has started itself.
process.on('disconnect', () => process.kill(0, 'SIGKILL'));
const { run } = await import(`./benches/${name}.mjs`);
const { rows, invariants = [], notes = [], skipped = [] } = await run({ short: form === 'short' });
process.removeAllListeners('disconnect');
process.send({ rows, invariants, notes, skipped, node: process.version }, () => process.exit());
