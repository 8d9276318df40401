// The restore drill: a backup is made under load, the product is killed, the backup is restored elsewhere, and all checks pass there up to
// the moment of the backup.
import { execFile } from 'node:child_process';
import { cp, mkdir } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterQuiet, violations } from '../checks/index.mjs';
import { startClients } from '../clients.mjs';
import { Evidence } from '../evidence.mjs';
import { Ledger } from '../ledger.mjs';
import { Product } from '../product.mjs';
import { quiet } from '../quiet.mjs';
import { fail, pass } from '../suite.mjs';
import { Trial } from '../trial.mjs';

const clients = 8;

export async function restore({ root, seed, count, keep }) {
  for (let round = 1; round <= count; round++) {
    const name = `restore drill${count > 1 ? `, round ${round}` : ''}`;
    const trial = await Trial.open(root, seed, `restore ${round}`);
    const { found, figures } = await drill(trial, root);
    await trial.end({ keep: keep || found.length > 0 });
    if (found.length > 0) return fail(name, found, `${figures}; all of it is in ${trial.directory}`);
    pass(name, figures);
  }
}

/** Returns the problems, and figures about the run. */
export async function drill(trial, root) {
  const found = await trial.start();
  // The backup must contain exactly the requests that were answered before it started.
  await trial.load(1, 1_500);
  const { target, during, promised, tooLate, said } = await backupUnderLoad(trial);
  const killed = await killDuringBackup(trial);

  const there = await Product.open(root, join(trial.directory, 'elsewhere'));
  await mkdir(there.directory);
  const restored = await command(there, 'restore', target);
  await cp(join(trial.product.data, 'master.key'), join(there.data, 'master.key')).catch(() => undefined);
  const verified = await command(there, 'verify');
  const commands = [said, restored, verified].filter(({ code }) => code !== 0).map(({ out, error }) => `${error}${out}`);
  if (commands.length > 0) return { found: [...found, failure('the commands', commands)], figures: 'a command failed' };
  try {
    await there.start();
    // Signs in before the checks: they read the logs once, and a later sign-in would publish an event that is missing there.
    await there.token();
    const left = await quiet(there);
    if (left.length > 0) found.push(failure('I8 it comes to rest', left));
    found.push(...(await look(trial, there, during)), ...cutOf(there, promised, tooLate), ...killed);
  } finally {
    await there.kill();
  }
  const { acknowledged } = trial.ledger.counts;
  const figures = `${acknowledged} acknowledged before the backup, ${during.counts.acknowledged} around it; ${promised.length} bots that must be in it are, ${tooLate.length} that were requested later are not`;
  return { found, figures };
}

const failure = (name, problems) => ({ name, count: problems.length, problems: problems.slice(0, 10) });

async function backupUnderLoad(trial) {
  const { product, directory } = trial;
  const during = new Ledger(join(directory, 'during.jsonl'));
  const target = join(directory, 'backup');
  await product.token();
  const load = startClients(product, during, clients, (number) => trial.chanceOf('during', number));
  await pause(trial.chanceOf('backup').between(200, 800));
  const promised = [...during.bots.values()].filter(({ isSurelyLiving }) => isSurelyLiving).map(({ id }) => id);
  const said = await command(product, 'backup', target);
  const asked = new Set(during.bots.keys());
  await pause(300);
  await product.kill();
  await load.stop();
  await during.close();
  const tooLate = [...during.bots.keys()].filter((id) => !asked.has(id));
  return { target, during, promised, tooLate, said };
}

/** An interrupted backup is either complete or refused, and the product starts again. */
async function killDuringBackup(trial) {
  const { product, directory } = trial;
  const problems = [];
  await product.start();
  const target = join(directory, 'cut-off');
  const backup = command(product, 'backup', target);
  await pause(trial.chanceOf('cut off').between(50, 600));
  await product.kill();
  await backup;
  if (!existsSync(target)) return problems;
  const whole = existsSync(join(target, 'backup.json'));
  const { code } = await command(product, 'verify', target);
  if ((code === 0) !== whole)
    problems.push(failure('the cut-off backup', [`it is ${whole ? '' : 'not '}whole, and verify ended with ${code}`]));
  return problems;
}

/** The checks of a run, on the restored data. Requests during the backup may or may not be in it. */
async function look(trial, there, during) {
  const evidence = new Evidence(there.data);
  const { ledger } = trial;
  ledger.oddities.push(...during.oddities.splice(0));
  const maybe = (records) => Array.from(records, ([id, { title }]) => [id, { title, problems: () => [] }]);
  const both = (name) => new Map([...ledger[name], ...maybe(during[name])]);
  const wider = {
    oddities: ledger.oddities,
    bots: both('bots'),
    conversations: both('conversations'),
    people: both('people'),
    keyed: both('keyed'),
    knowledge: both('knowledge'),
    slowOnes: both('slowOnes'),
  };
  const stored = 'I1 what was acknowledged is kept';
  try {
    const chance = trial.chanceOf('sample');
    return [
      ...(await violations(
        afterQuiet.filter(({ name }) => name === stored),
        { ledger: wider, evidence, product: there, chance },
      )),
      ...(await violations(
        afterQuiet.filter(({ name }) => name !== stored),
        { ledger, evidence, product: there, chance },
      )),
    ];
  } finally {
    evidence.close();
  }
}

/** Requests answered before the backup started are in it; requests sent after its end are not. */
function cutOf(there, promised, tooLate) {
  const evidence = new Evidence(there.data);
  try {
    const isThere = (id) => evidence.stream('bots', `bot-${id}`).length > 0;
    const problems = [
      ...promised.filter((id) => !isThere(id)).map((id) => `bot ${id} was answered before the backup, and is not in it`),
      ...tooLate.filter(isThere).map((id) => `bot ${id} was requested after the backup, and is in it`),
    ];
    return problems.length > 0 ? [failure('the cut of the backup', problems)] : [];
  } finally {
    evidence.close();
  }
}

function command(product, ...words) {
  const { command: program, args, env } = product.commandLine(words);
  return new Promise((resolve) => {
    execFile(program, args, { env: { ...process.env, ...env } }, (failed, out, error) =>
      resolve({ code: failed ? (failed.code ?? 1) : 0, out, error }),
    );
  });
}
