import { type Decider, refuse } from '@parlance/decider';

/**
 * The files that one user uploads for one bot, including a bot that is not saved yet. `file` is part of the storage key; names are not stored here.
 */
export type UploadsCommand =
  | { type: 'Grant'; file: string; by: string }
  /** The service is about to store this many files for the bot: copies, or a picture. */
  | { type: 'GrantCopies'; files: number; by: string }
  | { type: 'RemoveFile'; file: string; by: string }
  /** Files that no saved bot uses were removed. `left` is the number of files that the bot uses. */
  | { type: 'CleanUp'; removed: number; left: number }
  /** The bot is deleted or its owner is erased, and all files are about to be removed. */
  | { type: 'RemoveAll'; files: number };

export type UploadsEvent =
  | { type: 'UploadGranted'; file: string; by: string }
  | { type: 'CopiesGranted'; files: number; by: string }
  | { type: 'FileRemoved'; file: string; by: string }
  | { type: 'UploadsCleanedUp'; removed: number; left: number }
  | { type: 'FilesRemoved'; files: number };

/** `isEmpty`: all files were removed, and no upload address has been issued since. */
export type Uploads = { readonly granted: number; readonly isEmpty: boolean };

/** The most upload addresses that can be issued for one bot between two daily removals of unused files. */
export const MOST_UPLOADS = 20_000;

const tooManyUploads = () =>
  refuse('conflict', 'too_many_uploads', 'Too many files were uploaded for this bot. Save the bot, and upload more tomorrow.');

export const uploads: Decider<UploadsCommand, UploadsEvent, Uploads> = {
  initialState: { granted: 0, isEmpty: false },
  snapshots: { every: 200, shape: 'uploads@1' },

  decide(command, { granted, isEmpty }) {
    switch (command.type) {
      case 'Grant':
        return granted >= MOST_UPLOADS ? tooManyUploads() : [{ type: 'UploadGranted', file: command.file, by: command.by }];
      case 'GrantCopies':
        if (command.files === 0) return [];
        if (granted + command.files > MOST_UPLOADS) return tooManyUploads();
        return [{ type: 'CopiesGranted', files: command.files, by: command.by }];
      case 'RemoveFile':
        return [{ type: 'FileRemoved', file: command.file, by: command.by }];
      case 'CleanUp':
        return [{ type: 'UploadsCleanedUp', removed: command.removed, left: command.left }];
      case 'RemoveAll':
        // A repeated removal, after an interruption, is counted once.
        return isEmpty || command.files === 0 ? [] : [{ type: 'FilesRemoved', files: command.files }];
    }
  },

  evolve(state, event) {
    switch (event.type) {
      case 'UploadGranted':
        return { granted: state.granted + 1, isEmpty: false };
      case 'CopiesGranted':
        return { granted: state.granted + event.files, isEmpty: false };
      case 'FileRemoved':
        return state;
      case 'UploadsCleanedUp':
        return { ...state, granted: event.left };
      case 'FilesRemoved':
        return { granted: 0, isEmpty: true };
    }
  },
};

export const uploadsId = (ownerUserId: string, botId: string) => `${ownerUserId}.${botId}`;
export const ownerOfUploads = (id: string) => id.slice(0, id.indexOf('.'));
export const botOfUploads = (id: string) => id.slice(id.indexOf('.') + 1);
export const uploadsStream = (id: string) => `uploads-${id}`;
