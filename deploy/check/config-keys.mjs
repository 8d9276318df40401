// Every key of the configuration that a deployment may set, as the services declare them: an unknown one stops their start.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const source = readFileSync(fileURLToPath(new URL('../../libs/config/src/config.ts', import.meta.url)), 'utf8');
const [, body] = source.split(/^export class Config \{$/m);

export const KEYS = [...body.split(/^\}$/m)[0].matchAll(/\breadonly\s+(\w+)!?:/g)].map(([, key]) => key).toSorted();

/** tokenValidMinutes → PARLANCE_TOKEN_VALID_MINUTES */
export const variable = (key) => `PARLANCE_${key.replace(/[A-Z]/g, '_$&').toUpperCase()}`;

export const VARIABLES = new Set(KEYS.map(variable));

export const SERVICES = ['analytics', 'bots', 'edge', 'identity', 'inference', 'publication'];
