// All configuration keys that a deployment may set, as the services declare them. A service with an unknown key does not start.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// Config extends the other classes.
const FILES = ['config.ts', 'keys/access-keys.ts', 'keys/installation-keys.ts'];

function keysIn(file) {
  const source = readFileSync(fileURLToPath(new URL(`../../libs/config/src/${file}`, import.meta.url)), 'utf8');
  const [, body] = source.split(/^export class .*\{$/m);
  return [...body.split(/^\}$/m)[0].matchAll(/\breadonly\s+(\w+)!?:/g)].map(([, key]) => key);
}

export const KEYS = FILES.flatMap(keysIn).toSorted();

/** tokenValidMinutes → PARLANCE_TOKEN_VALID_MINUTES */
export const variable = (key) => `PARLANCE_${key.replace(/[A-Z]/g, '_$&').toUpperCase()}`;

export const VARIABLES = new Set(KEYS.map(variable));

export const SERVICES = ['analytics', 'bots', 'edge', 'identity', 'inference', 'publication'];
