import { type Decider, type Instant, refuse } from '@parlance/decider';
import { MAX_GATEWAY_BYTES, MAX_GATEWAY_FILES } from './gateway-limits.ts';

/** `batch`: the requests of a batch. `batch_output`: its answers, or its errors. */
export const FILE_PURPOSES = ['batch', 'batch_output'] as const;
export type FilePurpose = (typeof FILE_PURPOSES)[number];

/** A file that is stored. */
export interface AddedFile {
  readonly fileId: string;
  readonly purpose: FilePurpose;
  readonly bytes: number;
  readonly at: Instant;
  readonly expiresAt: Instant;
  /** The name and the key of the file, sealed under its own key in the user's key. */
  readonly sealed: string;
}

export type GatewayFilesCommand =
  | ({ type: 'Add' } & AddedFile)
  | { type: 'Remove'; fileId: string }
  | { type: 'Expire'; fileId: string; now: Instant }
  | { type: 'Erase' };

export type GatewayFilesEvent =
  | ({ type: 'GatewayFileAdded' } & AddedFile)
  /** The stored bytes may be removed from now on. */
  | { type: 'GatewayFileRemoved'; fileId: string; because: 'removed' | 'expired' | 'user_erased' }
  /** The user is erased: nothing is stored from now on. */
  | { type: 'GatewayFilesErased'; files: number };

export interface GatewayFiles {
  readonly files: Readonly<Record<string, { readonly bytes: number; readonly expiresAt: Instant }>>;
  readonly isErased: boolean;
}

/** The files that one user has stored for calls of models. */
export const gatewayFiles: Decider<GatewayFilesCommand, GatewayFilesEvent, GatewayFiles> = {
  initialState: { files: {}, isErased: false },
  snapshots: { every: 100, shape: 'gateway-files-1' },

  decide(command, state) {
    switch (command.type) {
      case 'Add': {
        const { type: _, ...file } = command;
        if (state.isErased) return refuse('missing', 'user_not_found', 'This user was erased.');
        // A repeat of the request.
        if (Object.hasOwn(state.files, file.fileId)) return [];
        // The answers of a batch are paid for, so a full store does not lose them.
        const refusal = file.purpose === 'batch_output' ? null : fullness(state, file.bytes);
        return refusal ?? [{ type: 'GatewayFileAdded', ...file }];
      }
      case 'Remove':
        return Object.hasOwn(state.files, command.fileId)
          ? [{ type: 'GatewayFileRemoved', fileId: command.fileId, because: 'removed' }]
          : [];
      case 'Expire': {
        const file = state.files[command.fileId];
        return file && file.expiresAt <= command.now ? [{ type: 'GatewayFileRemoved', fileId: command.fileId, because: 'expired' }] : [];
      }
      case 'Erase': {
        if (state.isErased) return [];
        const ids = Object.keys(state.files);
        const removed = ids.map((fileId): GatewayFilesEvent => ({ type: 'GatewayFileRemoved', fileId, because: 'user_erased' }));
        return [...removed, { type: 'GatewayFilesErased', files: ids.length }];
      }
    }
  },

  evolve(state, event) {
    switch (event.type) {
      case 'GatewayFileAdded':
        return { ...state, files: { ...state.files, [event.fileId]: { bytes: event.bytes, expiresAt: event.expiresAt } } };
      case 'GatewayFileRemoved': {
        const { [event.fileId]: _, ...files } = state.files;
        return { ...state, files };
      }
      case 'GatewayFilesErased':
        return { ...state, isErased: true };
    }
  },
};

/** The refusal of a further file of this size. Null if there is room for it. */
export function fullness({ files }: GatewayFiles, bytes: number) {
  const stored = Object.values(files);
  if (stored.length >= MAX_GATEWAY_FILES)
    return refuse('conflict', 'too_many_files', `You have ${MAX_GATEWAY_FILES} files. Delete some of them.`);
  const sum = stored.reduce((all, each) => all + each.bytes, bytes);
  if (sum > MAX_GATEWAY_BYTES)
    return refuse('conflict', 'files_too_large', `Your files may have ${MAX_GATEWAY_BYTES} bytes together. Delete some of them.`);
  return null;
}

/** One stream for each user, so that the decider can enforce the limits of a user. */
export const gatewayFilesStream = (userId: string) => `gatewayfiles-${userId}`;
