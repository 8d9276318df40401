import { bin, node, run, Trouble } from './workspace.mjs';

/** Compiles what has changed, in all projects or in one project and its dependencies. Throws `Trouble` if it does not compile. */
export async function build(project = 'tsconfig.json') {
  const patience = setTimeout(() => console.log('Building the changed projects …'), 800);
  const { code, output } = await run(node, [bin('tsc'), '-b', project]);
  clearTimeout(patience);
  if (code === 0) return;
  console.error(output);
  throw new Trouble('The build failed: the errors are above.');
}
