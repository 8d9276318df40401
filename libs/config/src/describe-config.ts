import { Config } from './config.ts';
import { environmentName, fieldsOf } from './fields.ts';

export interface KeyDescription {
  readonly key: string;
  readonly env: string;
  /** The default as JSON, or in words if it is derived; `–` if there is none. */
  readonly default: string;
  readonly allowed: string;
  readonly doc: string;
  readonly secret: boolean;
}

/** All keys, in the order of docs/reference/configuration.md. */
export function describeConfig(): readonly KeyDescription[] {
  const preset = new Config() as unknown as Readonly<Record<string, unknown>>;
  return [...fieldsOf(Config)].map(([key, { doc, allowed, secret, defaultText }]) => ({
    key,
    env: environmentName(key),
    default: defaultText ?? (preset[key] === null ? '–' : JSON.stringify(preset[key])),
    allowed,
    doc,
    secret,
  }));
}

/** The effective configuration for printing, with all secrets masked. */
export function effectiveConfig(config: Config): Readonly<Record<string, unknown>> {
  return masked(config) as Readonly<Record<string, unknown>>;
}

function masked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(masked);
  if (typeof value !== 'object' || value === null) return value;
  const fields = fieldsOf(value.constructor);
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, fields.get(key)?.secret && inner !== null ? '***' : masked(inner)]),
  );
}
