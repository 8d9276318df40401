import { resolve } from 'node:path';
import { type Draft, instance, notAllowed, errorsOf, settled } from './build.ts';
import { Config } from '../config.ts';
import { ConfigError } from './config-error.ts';
import { fieldsOf } from '../fields.ts';
import { missingKey } from '../knowledge-sources.ts';
import { kafkaObjection } from '../keys/kafka-security.ts';
import { copiesObjection } from '../keys/kafka-topics.ts';
import { artifactObjection } from '../artifact-origin.ts';
import { mailObjection } from '../keys/mail-server.ts';
import { policyObjection } from '../guardrail-policies.ts';
import { searchObjection } from '../internet-search.ts';
import { mcpObjection } from '../mcp-servers.ts';
import { storeObjection } from '../keys/object-store.ts';
import { danglingReference } from '../model-catalogue.ts';
import { fromEnvironment, fromFile, readJson, type ConfigEntry } from './sources.ts';

export interface Sources {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

type Values = Record<string, unknown>;

/**
 * The effective configuration: defaults, then `parlance.config.json` in the working directory (or the file of `--config`), then PARLANCE_
 * variables. A later source overrides an earlier one. Relative paths in a file are relative to the directory of that file.
 * Throws `ConfigError` for an unknown key or an invalid value.
 */
export function loadConfig({ argv, env, cwd }: Sources): Config {
  const fields = fieldsOf(Config);
  const entries = [...fromFile(argv, cwd), ...fromEnvironment(env, cwd, fields)];
  const last = new Map(entries.map((each) => [each.key, each]));
  const draft: Draft = { problems: [], where: (path) => last.get(path.split('.')[0]!)?.where ?? 'default' };

  const values: Values = {};
  for (const each of entries) {
    // An overridden value is not validated, but an unknown key is an error in every source.
    if (!fields.has(each.key)) instance(Config, { [each.key]: each.value }, '', { ...draft, where: () => each.where });
    else if (last.get(each.key) === each) Object.assign(values, valueOf(each, draft));
  }

  const config = instance(Config, values, '', draft) as Config;
  const problems = [...draft.problems, ...errorsOf(config, draft)];
  if (problems.length > 0) throw new ConfigError(problems);
  const frozen = settled(completed(config, (key) => last.get(key)?.base ?? cwd));
  const objection =
    (frozen.models && danglingReference(frozen.models)) ??
    missingKey(frozen.reranker, frozen.retrievers) ??
    mcpObjection(frozen.mcpServers) ??
    policyObjection(frozen.guardrails) ??
    searchObjection(frozen.internetSearch) ??
    kafkaObjection(frozen.kafkaSecurity) ??
    copiesObjection(frozen, env['NODE_ENV'] === 'production') ??
    mailObjection(frozen) ??
    storeObjection(frozen.objectStore) ??
    artifactObjection(frozen);
  if (objection) throw new ConfigError([notAllowed(objection.path, objection.value, { ...objection, secret: false, shape: null }, draft)]);
  return frozen;
}

/** The value in the form of the class. An empty variable unsets an optional value, and a path to a file of models is replaced by its content. */
function valueOf({ key, value, where, base, misread }: ConfigEntry, draft: Draft): Values {
  const field = fieldsOf(Config).get(key)!;
  const preset = (new Config() as unknown as Values)[key];
  if (value === '' && (preset === null || preset === '')) return {};
  if (misread) {
    draft.problems.push(notAllowed(key, value, field, draft));
    return {};
  }
  if (field.kind !== 'object-or-file' || typeof value !== 'string') return { [key]: value };
  return { [key]: readJson(resolve(base, value), `${value}, named by ${key} (${where}),`) };
}

/** Sets values that are derived from other keys, and makes paths absolute. */
function completed(config: Config, base: (key: string) => string): Config {
  const dataDir = resolve(base('dataDir'), config.dataDir);
  const { kafkaSecurity } = config;
  const file = (path: string | null) => (path === null ? null : resolve(base('kafkaSecurity'), path));
  return Object.assign(config, {
    dataDir,
    masterKeyFile: config.masterKeyFile ? resolve(base('masterKeyFile'), config.masterKeyFile) : resolve(dataDir, 'master.key'),
    auditHeadFile: config.auditHeadFile === null ? null : resolve(base('auditHeadFile'), config.auditHeadFile),
    backupDir: config.backupDir === null ? null : resolve(base('backupDir'), config.backupDir),
    kafkaSecurity:
      kafkaSecurity &&
      Object.assign(kafkaSecurity, {
        caFile: file(kafkaSecurity.caFile),
        certFile: file(kafkaSecurity.certFile),
        keyFile: file(kafkaSecurity.keyFile),
      }),
    publicBaseUrl: (config.publicBaseUrl || baseUrl(config.host, config.port)).replace(/\/+$/, ''),
  } satisfies Partial<Config>);
}

/** The base URL of a listening address. A host that stands for all addresses becomes `localhost`. */
export function baseUrl(host: string, port: number): string {
  if (host === '0.0.0.0' || host === '::') return `http://localhost:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
