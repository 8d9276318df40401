import { readFile } from 'node:fs/promises';
import type { KafkaConfig } from 'kafkajs';
import { clientCredentials } from './client-credentials.ts';
import { mskTokens } from './msk-tokens.ts';

/** How a client connects and signs in. Files are PEM. */
export interface KafkaClientSecurity {
  readonly tls: boolean;
  readonly caFile: string | null;
  readonly certFile: string | null;
  readonly keyFile: string | null;
  readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512' | 'oauthbearer' | 'aws-msk-iam' | null;
  readonly username: string | null;
  readonly password: string | null;
  readonly tokenUrl: string | null;
  readonly clientId: string | null;
  readonly clientSecret: string | null;
  readonly scope: string | null;
  readonly region: string | null;
}

/** Thrown when a file of the security of Kafka cannot be read. */
export class KafkaFileUnusable extends Error {
  constructor(key: string, path: string, { code = 'unknown' }: NodeJS.ErrnoException) {
    super(`the file ${path} of kafkaSecurity.${key} cannot be read (${code}): check that it exists and that this process may read it`);
    this.name = 'KafkaFileUnusable';
  }
}

/** Throws `KafkaFileUnusable`. */
export async function clientSecurity(security: KafkaClientSecurity): Promise<Pick<KafkaConfig, 'ssl' | 'sasl'>> {
  const sasl = saslOf(security);
  return { ssl: security.tls && (await sslOf(security)), ...(sasl && { sasl }) };
}

async function sslOf({ caFile, certFile, keyFile }: KafkaClientSecurity): Promise<Exclude<KafkaConfig['ssl'], boolean | undefined>> {
  const [ca, cert, key] = await Promise.all([textOf('caFile', caFile), textOf('certFile', certFile), textOf('keyFile', keyFile)]);
  return { ...(ca !== null && { ca: [ca] }), ...(cert !== null && { cert }), ...(key !== null && { key }) };
}

async function textOf(key: string, path: string | null): Promise<string | null> {
  if (path === null) return null;
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new KafkaFileUnusable(key, path, error as NodeJS.ErrnoException);
  }
}

function saslOf(security: KafkaClientSecurity): KafkaConfig['sasl'] | null {
  const { mechanism } = security;
  switch (mechanism) {
    case null:
      return null;
    case 'oauthbearer':
      return { mechanism, oauthBearerProvider: clientCredentials(security) };
    case 'aws-msk-iam':
      return { mechanism: 'oauthbearer', oauthBearerProvider: mskTokens(security.region ?? '') };
    default:
      return { mechanism, username: security.username ?? '', password: security.password ?? '' } as KafkaConfig['sasl'];
  }
}
