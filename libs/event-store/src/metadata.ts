import type { Metadata } from './event-store.ts';

const ABSENT = { actor: null, ip: null, userAgent: null, causationId: null } as const;

/** The stored text of a commit's metadata. Null fields, and a correlation ID equal to the request ID, are left out, which saves a third. */
export function metadataText({ correlationId, ...metadata }: Metadata): string {
  const text: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(metadata)) if (value !== null) text[name] = value;
  if (correlationId !== metadata.requestId) text['correlationId'] = correlationId;
  return JSON.stringify(text);
}

export function metadataOf(text: string): Metadata {
  const stored = JSON.parse(text) as Partial<Metadata> & Pick<Metadata, 'at' | 'requestId'>;
  return { ...ABSENT, correlationId: stored.requestId, ...stored };
}
