import { idInStream } from '@parlance/event-store';
import { named, type ObjectNames, released } from '@parlance/object-store';
import { lanceFolder } from '@parlance/retrieval';
import type { SyncEvent } from '../domain/knowledge/sync-events.ts';

/** The folder of the indexes in the object store. */
export const INDEXES = 'knowledge-indexes';

/**
 * The index in service of each bot, as a cluster stores it. The names of uploaded files are sealed in events, so the files are not among these
 * objects.
 */
export const namedObjects: ObjectNames = (stream, occurred) => {
  const event = occurred as SyncEvent;
  const botId = idInStream(stream);
  switch (event.type) {
    case 'SyncSucceeded': {
      const { generation } = event;
      return [
        released(`${INDEXES}/${botId}.`),
        ...(generation === null ? [] : [named(`${INDEXES}/${lanceFolder({ botId, generation })}`)]),
      ];
    }
    case 'KnowledgeRemoved':
      return [released(`${INDEXES}/${botId}.`)];
    default:
      return [];
  }
};
