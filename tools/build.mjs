import { bin, node, run, Trouble } from './workspace.mjs';

/** Compiles what has changed since the last time; the compiler itself knows what that is. Throws `Trouble` when it doesn't compile. */
export async function build(project) {
  const patience = setTimeout(() => console.log('Building what has changed …'), 800);
  const { code, output } = await run(node, [bin('tsc'), '-b', project]);
  clearTimeout(patience);
  if (code === 0) return;
  console.error(output);
  throw new Trouble('The build failed: the errors are above.');
}
