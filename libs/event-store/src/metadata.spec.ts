import { describe, expect, it } from '@jest/globals';
import { Instant } from '@parlance/decider';
import fc from 'fast-check';
import type { Metadata } from './event-store.ts';
import { metadataOf, metadataText } from './metadata.ts';

const text = fc.option(fc.string(), { nil: null });
const metadata: fc.Arbitrary<Metadata> = fc.record(
  {
    at: fc.nat().map((millis) => Instant.ofMillis(millis)),
    actor: text,
    ip: text,
    userAgent: text,
    requestId: fc.string(),
    correlationId: fc.constantFrom('r', 's'),
    causationId: text,
    traceparent: fc.string(),
  },
  { requiredKeys: ['at', 'actor', 'ip', 'userAgent', 'requestId', 'correlationId', 'causationId'] },
);

describe('the stored text of metadata', () => {
  it('returns the stored metadata, with any fields null', () =>
    fc.assert(fc.property(metadata, (stored) => expect(metadataOf(metadataText(stored))).toEqual(stored))));

  it('can be read in the form of release 0.2, with every field', () =>
    fc.assert(fc.property(metadata, (stored) => expect(metadataOf(JSON.stringify(stored))).toEqual(stored))));

  it('leaves out null fields, and a correlation ID equal to the request ID', () => {
    const stored = {
      at: Instant.ofMillis(1),
      actor: 'a',
      ip: null,
      userAgent: null,
      requestId: 'r',
      correlationId: 'r',
      causationId: null,
    };
    expect(JSON.parse(metadataText(stored))).toEqual({ at: 1, actor: 'a', requestId: 'r' });
  });
});
