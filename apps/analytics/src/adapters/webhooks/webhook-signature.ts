import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
/** The length of secrets. Standard Webhooks allows 24 to 64 bytes. */
const SECRET_BYTES = 32;

export const newWebhookSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64');

export interface Signed {
  readonly id: string;
  readonly body: string;
  /** Epoch seconds. */
  readonly timestamp: number;
}

/** The headers of Standard Webhooks 1.0, with a signature for each secret. */
export function signatureHeaders({ id, body, timestamp }: Signed, secrets: readonly string[]): Record<string, string> {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': signatures.join(' ') };
}
