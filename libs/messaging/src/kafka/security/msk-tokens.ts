import { AwsV4Signer } from 'aws4fetch';
import type { OauthbearerProviderResponse } from 'kafkajs';

/** Required by the brokers of Amazon MSK. */
const VALID_SECONDS = 900;

export interface AwsIdentity {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** The token of IAM access control in Amazon MSK: a signed request for `kafka-cluster:Connect` as text. */
export async function mskToken(region: string, identity: AwsIdentity, now: Date): Promise<string> {
  const url = new URL(`https://kafka.${region}.amazonaws.com/`);
  url.searchParams.set('Action', 'kafka-cluster:Connect');
  url.searchParams.set('X-Amz-Expires', String(VALID_SECONDS));
  const datetime = now.toISOString().replaceAll(/[:-]|\.\d{3}/g, '');
  const signer = new AwsV4Signer({ url: url.href, ...identity, service: 'kafka-cluster', region, signQuery: true, datetime });
  const signed = (await signer.sign()).url;
  signed.searchParams.set('User-Agent', 'parlance');
  return Buffer.from(signed.href).toString('base64url');
}

/** Signs in with the AWS identity of the process: its environment, its service account in Kubernetes, or its machine. */
export function mskTokens(region: string): () => Promise<OauthbearerProviderResponse> {
  let identity: (() => Promise<AwsIdentity>) | null = null;
  return async () => {
    if (!identity) {
      const { defaultProvider } = await import('@aws-sdk/credential-provider-node');
      identity = defaultProvider({ clientConfig: { region } });
    }
    return { value: await mskToken(region, await identity(), new Date()) };
  };
}
