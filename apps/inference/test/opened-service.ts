import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { Service } from '@parlance/foundation';
import { EventStore } from '@parlance/event-store';
import { SubjectKeys, Vault } from '@parlance/privacy';
import { MessageFiles } from '../src/adapters/files/message-files.ts';
import { Toolbox } from '../src/adapters/tools/toolbox.ts';
import { InferenceModule } from '../src/inference.module.ts';
import { DeleteTemporaryConversationsWhenTheirTimeIsOver } from '../src/policies/delete-temporary-conversations-when-their-time-is-over.ts';
import { FinishRemovalOfFilesWhenItBrokeOff } from '../src/policies/finish-removal-of-files-when-it-broke-off.ts';
import { inference } from '../src/service.ts';
import { RemovedPublications } from '../src/workflows/holds/removed-publications.ts';
import { MemoryChanges } from '../src/workflows/memory/memory-changes.ts';
import { LiveReplies } from '../src/workflows/live-replies.ts';
import { RetentionRounds } from '../src/workflows/retention/retention-rounds.ts';

export interface Buses {
  commands: CommandBus;
  queries: QueryBus;
  vault: Vault;
  keys: SubjectKeys;
  toolbox: Toolbox;
  live: LiveReplies;
  memory: MemoryChanges;
  rounds: RetentionRounds;
  temporary: DeleteTemporaryConversationsWhenTheirTimeIsOver;
  removed: RemovedPublications;
  store: EventStore;
  files: MessageFiles;
  fileRemovals: FinishRemovalOfFilesWhenItBrokeOff;
}

/** The service and its buses, so that a test can perform a part of a request. */
export function opened(): { service: Service; buses: Buses } {
  const buses = {} as Buses;
  const inject = {
    commands: CommandBus,
    queries: QueryBus,
    vault: Vault,
    keys: SubjectKeys,
    toolbox: Toolbox,
    live: LiveReplies,
    memory: MemoryChanges,
    rounds: RetentionRounds,
    temporary: DeleteTemporaryConversationsWhenTheirTimeIsOver,
    removed: RemovedPublications,
    store: EventStore,
    files: MessageFiles,
    fileRemovals: FinishRemovalOfFilesWhenItBrokeOff,
  } as const;
  const names = Object.keys(inject);
  const grab = (...found: unknown[]) => Object.assign(buses, Object.fromEntries(found.map((each, index) => [names[index], each])));
  const module = async (host: Parameters<Service['module']>[0]) => {
    const inner = await InferenceModule.of(host);
    return { ...inner, providers: [...inner.providers!, { provide: 'buses', inject: Object.values(inject), useFactory: grab }] };
  };
  return { service: { ...inference, module }, buses };
}
