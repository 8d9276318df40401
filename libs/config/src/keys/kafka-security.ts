import { IsOptional } from 'class-validator';
import type { Objection } from '../embedding-model.ts';
import { Key } from '../fields.ts';
import { FilePath, Flag, OneOf, Region, Text, WebAddress } from '../rules.ts';

const needs = {
  plain: ['username', 'password'],
  'scram-sha-256': ['username', 'password'],
  'scram-sha-512': ['username', 'password'],
  oauthbearer: ['tokenUrl', 'clientId', 'clientSecret'],
  'aws-msk-iam': ['region'],
} as const;

export type KafkaMechanism = keyof typeof needs;

/** How clients connect and sign in to Kafka. */
export class KafkaSecurity {
  @Key('Whether connections are encrypted (TLS).') @Flag() readonly tls: boolean = true;
  @Key('PEM file with the certificates of the authorities that sign the certificates of the brokers. Default: the public authorities.')
  @IsOptional()
  @FilePath()
  readonly caFile: string | null = null;
  @Key('PEM file with the certificate of the client, for brokers that ask for one.') @IsOptional() @FilePath() readonly certFile:
    | string
    | null = null;
  @Key('PEM file with the key of that certificate, without a passphrase.') @IsOptional() @FilePath() readonly keyFile: string | null = null;
  @Key('SASL mechanism. `oauthbearer` gets tokens with the client credentials grant, `aws-msk-iam` with the AWS identity of the process.')
  @IsOptional()
  @OneOf(...Object.keys(needs))
  readonly mechanism: KafkaMechanism | null = null;
  @Key('User name, for `plain` and `scram-…`.') @IsOptional() @Text('a user name', /^[ -~]{1,256}$/) readonly username: string | null =
    null;
  @Key('Password of the user.', { secret: true }) @IsOptional() @Text('a password', /^[ -~]{1,1024}$/) readonly password: string | null =
    null;
  @Key('Address of the token endpoint, for `oauthbearer`.') @IsOptional() @WebAddress() readonly tokenUrl: string | null = null;
  @Key('Client ID at the token endpoint.') @IsOptional() @Text('a client id', /^[ -~]{1,500}$/) readonly clientId: string | null = null;
  @Key('Client secret at the token endpoint.', { secret: true })
  @IsOptional()
  @Text('a client secret', /^[ -~]{1,1000}$/)
  readonly clientSecret: string | null = null;
  @Key('Scope of the tokens.') @IsOptional() @Text('scopes', /^[ -~]{1,1000}$/) readonly scope: string | null = null;
  @Key('AWS region of the cluster, for `aws-msk-iam`.') @IsOptional() @Region() readonly region: string | null = null;
}

/** An error if values that belong together are not all set. */
export function kafkaObjection(security: KafkaSecurity | null): Objection | null {
  if (!security) return null;
  const { mechanism, tls, certFile, keyFile } = security;
  const missing = (key: keyof KafkaSecurity, why: string) => ({ path: `kafkaSecurity.${key}`, value: undefined, allowed: `set, ${why}` });
  if ((certFile === null) !== (keyFile === null))
    return missing(certFile === null ? 'certFile' : 'keyFile', 'because a certificate and its key belong together');
  for (const key of mechanism ? needs[mechanism] : [])
    if (security[key] === null) return missing(key, `because the mechanism ${mechanism} needs it`);
  if (!tls && mechanism && !mechanism.startsWith('scram-'))
    return { path: 'kafkaSecurity.tls', value: 'false', allowed: `true, because ${mechanism} sends its secret to the broker` };
  return null;
}
