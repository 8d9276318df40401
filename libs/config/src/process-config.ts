import type { Config } from './config.ts';
import { loadConfig } from './loading/load-config.ts';

/** The configuration of this process. Only this file reads the environment. Throws `ConfigError`. */
export const processConfig = (argv: readonly string[] = process.argv.slice(2)): Config =>
  loadConfig({ argv, env: process.env, cwd: process.cwd() });
