// Runs one bench in this process, which leads its own process group, and sends the result to run.mjs.
const [name, form] = process.argv.slice(2);
// Its parent has ended, so the process group ends too.
process.on('disconnect', () => process.kill(0, 'SIGKILL'));
const { run } = await import(`./benches/${name}.mjs`);
const { rows, invariants = [], notes = [], skipped = [] } = await run({ short: form === 'short' });
process.removeAllListeners('disconnect');
process.send({ rows, invariants, notes, skipped, node: process.version }, () => process.exit());
