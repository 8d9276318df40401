import { apiIdOf } from '@parlance/contracts';
import { idInStream } from '@parlance/event-store';
import { type Change, projection } from '@parlance/read-models';
import { outdatedRevocations, revocationRows, revoke } from '@parlance/revocation';
import type { PublicationEvent } from '../domain/publication-events.ts';

/** How long an edge may use a copy of a publication or a key. Revocations are kept for longer. */
export const COPY_SECONDS = 3_600;
const KEPT_MILLIS = 2 * COPY_SECONDS * 1_000;

/** The name of one revision of a publication. Copies of the revision are invalid once this name is revoked. */
export const publicationRevision = (botId: string, number: number, revision: number) => `publication:${botId}/${number}/${revision}`;
export const keyRevision = (keyId: string, revision: number) => `api-key:${keyId}/${revision}`;
/** The name under which an edge may remember for `COPY_SECONDS` that an address is not published. */
export const unknownAddress = (apiId: string) => `address:${apiId}`;

/** Revokes revisions of publications and keys when they change or end, because edges keep copies. */
export const revocations = projection<PublicationEvent>({
  name: 'revocations',
  version: 1,
  tables: [revocationRows],
  outdated: outdatedRevocations,
  on: {
    // Edges that got a request for the address before the deployment look it up again. All edges acknowledge this revocation.
    DeploymentStarted: ({ deploymentId }, { position, metadata }) => over(unknownAddress(apiIdOf(deploymentId)), position, metadata.at),
    PublicationChanged: ({ number, revision }, { stream, position, metadata }) =>
      over(publicationRevision(idInStream(stream), number, revision - 1), position, metadata.at),
    PublicationRemovalBegun: ({ number, revision }, { stream, position, metadata }) =>
      over(publicationRevision(idInStream(stream), number, revision), position, metadata.at),
    PublicationRemoved: ({ wasPublished, number, revision }, { stream, position, metadata }) =>
      wasPublished ? over(publicationRevision(idInStream(stream), number, revision), position, metadata.at) : [],
    ApiKeyChanged: ({ keyId, revision }, { position, metadata }) => over(keyRevision(keyId, revision - 1), position, metadata.at),
    ApiKeyRevoked: ({ keyId, revision }, { position, metadata }) => over(keyRevision(keyId, revision), position, metadata.at),
  },
});

const over = (name: string, position: number, at: number): Change[] => [revoke(name, position, at + KEPT_MILLIS)];
