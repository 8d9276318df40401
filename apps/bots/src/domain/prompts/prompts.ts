import { type Decider, type Decision, Refusal } from '@parlance/decider';
import {
  changeOf,
  type Gone,
  mayConfigure,
  mayShare,
  maySee,
  type Person,
  PRIVATE,
  relationOf,
  type Sharing,
  sharingAfter,
  type SharingRequest,
  without,
} from '../sharing.ts';
import { MAX_PROMPTS_OF_USER } from './prompt-limits.ts';
import {
  commandTaken,
  notPromptEditor,
  notPromptOwner,
  ownerErased,
  promptChanged,
  promptNotFound,
  tooManyPrompts,
} from './prompt-refusals.ts';

/** All texts are sealed. A description that is empty is null. */
export interface PromptContent {
  readonly title: string;
  readonly command: string;
  /** A keyed hash, by which commands are compared. */
  readonly commandHash: string;
  readonly description: string | null;
  readonly text: string;
}

/** `basedOn`: the version that the request was made for. */
export type PromptsCommand =
  | { type: 'Create'; promptId: string; ownerId: string; content: PromptContent }
  | { type: 'Change'; promptId: string; by: Person; basedOn: number; changed: readonly string[]; content: PromptContent }
  /** Restores the content of an earlier version. */
  | { type: 'Restore'; promptId: string; by: Person; basedOn: number; restored: number; content: PromptContent }
  | { type: 'Share'; promptId: string; by: Person; basedOn?: number; sharing: SharingRequest }
  | { type: 'Delete'; promptId: string; by: Person; basedOn?: number }
  /** A listed user was erased, or a listed group was deleted. */
  | { type: 'ForgetListed'; gone: Gone }
  /** The owner is erased. */
  | { type: 'Erase' };

export type PromptSharingReason = 'requested' | 'user_erased' | 'group_deleted';

/** `version`: the version of the prompt that the event creates. */
export type PromptsEvent =
  | { type: 'PromptCreated'; promptId: string; ownerId: string; content: PromptContent }
  /** Has the complete content, so that a version can be read without the ones before it. `changed`: the names of the fields. */
  | { type: 'PromptChanged'; promptId: string; version: number; by: string; changed: readonly string[]; content: PromptContent }
  | { type: 'PromptRestored'; promptId: string; version: number; by: string; restored: number; content: PromptContent }
  | {
      type: 'PromptSharingChanged';
      promptId: string;
      version: number;
      by: string | null;
      because: PromptSharingReason;
      before: Sharing;
      after: Sharing;
    }
  | { type: 'PromptDeleted'; promptId: string; version: number; sharing: Sharing; because: 'requested' | 'owner_erased' }
  /** The user is erased: no prompt can be created from now on. */
  | { type: 'PromptsErased'; prompts: number };

interface Prompt {
  readonly version: number;
  readonly commandHash: string;
  readonly sharing: Sharing;
}

export interface Prompts {
  /** Null before the first prompt. */
  readonly ownerId: string | null;
  readonly prompts: Readonly<Record<string, Prompt>>;
  readonly isErased: boolean;
}

/** The prompts that one user owns. They are on one stream, so that no two of them have the same command. */
export const prompts: Decider<PromptsCommand, PromptsEvent, Prompts> = {
  initialState: { ownerId: null, prompts: {}, isErased: false },
  snapshots: { every: 50, shape: 'prompts-1' },

  decide(command, state) {
    switch (command.type) {
      case 'Create': {
        const { type: _, ...created } = command;
        if (state.isErased) return ownerErased();
        // A repeat of the request.
        if (state.prompts[created.promptId]) return [];
        if (Object.keys(state.prompts).length >= MAX_PROMPTS_OF_USER) return tooManyPrompts();
        return isTaken(created, state) ? commandTaken() : [{ type: 'PromptCreated', ...created }];
      }
      case 'ForgetListed':
        return Object.entries(state.prompts).flatMap(([promptId, prompt]) => forgetListed(promptId, prompt, command.gone));
      case 'Erase': {
        if (state.isErased) return [];
        const deleted = Object.entries(state.prompts).map(([promptId, { version, sharing }]): PromptsEvent => {
          return { type: 'PromptDeleted', promptId, version: version + 1, sharing, because: 'owner_erased' };
        });
        return [...deleted, { type: 'PromptsErased', prompts: deleted.length }];
      }
      default:
        return decideOne(command, state);
    }
  },

  evolve(state, event) {
    const changed = (promptId: string, fields: Partial<Prompt>): Prompts => {
      const prompt = { version: 1, commandHash: '', sharing: PRIVATE, ...state.prompts[promptId], ...fields };
      return { ...state, prompts: { ...state.prompts, [promptId]: prompt } };
    };
    switch (event.type) {
      case 'PromptCreated':
        return { ...changed(event.promptId, { commandHash: event.content.commandHash }), ownerId: event.ownerId };
      case 'PromptChanged':
      case 'PromptRestored':
        return changed(event.promptId, { version: event.version, commandHash: event.content.commandHash });
      case 'PromptSharingChanged':
        return changed(event.promptId, { version: event.version, sharing: event.after });
      case 'PromptDeleted': {
        const { [event.promptId]: _, ...others } = state.prompts;
        return { ...state, prompts: others };
      }
      case 'PromptsErased':
        return { ...state, isErased: true };
    }
  },
};

type OnePromptCommand = Exclude<PromptsCommand, { type: 'Create' | 'ForgetListed' | 'Erase' }>;

/** Commands of a user on one prompt. */
function decideOne(command: OnePromptCommand, state: Prompts): Decision<PromptsEvent> {
  const { promptId, by, basedOn } = command;
  const prompt = state.prompts[promptId];
  if (!prompt || state.ownerId === null) return promptNotFound();
  const relation = relationOf(by, { ownerUserId: state.ownerId, sharing: prompt.sharing });
  // Users must not learn of a prompt that they may not see.
  if (!maySee(relation)) return promptNotFound();
  if (command.type === 'Change' && !mayConfigure(relation)) return notPromptEditor();
  if (command.type !== 'Change' && !mayShare(relation)) return notPromptOwner();
  if (basedOn !== undefined && basedOn !== prompt.version) return promptChanged();
  const version = prompt.version + 1;
  switch (command.type) {
    case 'Change': {
      const { changed, content } = command;
      if (isTaken(command, state)) return commandTaken();
      return changed.length === 0 ? [] : [{ type: 'PromptChanged', promptId, version, by: by.userId, changed, content }];
    }
    case 'Restore': {
      const { restored, content } = command;
      return isTaken(command, state) ? commandTaken() : [{ type: 'PromptRestored', promptId, version, by: by.userId, restored, content }];
    }
    case 'Share': {
      const after = sharingAfter(command.sharing, prompt.sharing);
      if (after instanceof Refusal) return after;
      return sharingChanged(promptId, prompt, { by: by.userId, because: 'requested', after });
    }
    case 'Delete':
      return [{ type: 'PromptDeleted', promptId, version, sharing: prompt.sharing, because: 'requested' }];
  }
}

/** Whether another prompt of the owner has this command. */
const isTaken = ({ promptId, content }: { promptId: string; content: PromptContent }, { prompts: all }: Prompts): boolean =>
  Object.entries(all).some(([id, { commandHash }]) => id !== promptId && commandHash === content.commandHash);

function sharingChanged(
  promptId: string,
  { version, sharing: before }: Prompt,
  change: { by: string | null; because: PromptSharingReason; after: Sharing },
): PromptsEvent[] {
  if (changeOf(before, change.after) === 'none') return [];
  return [{ type: 'PromptSharingChanged', promptId, version: version + 1, before, ...change }];
}

function forgetListed(promptId: string, prompt: Prompt, gone: Gone): PromptsEvent[] {
  const because = gone.userId === undefined ? 'group_deleted' : 'user_erased';
  return sharingChanged(promptId, prompt, { by: null, because, after: without(prompt.sharing, gone) });
}

export const promptsStream = (ownerId: string) => `prompts-${ownerId}`;
