import { describe, it } from '@jest/globals';
import { specify } from '@parlance/decider/specify';
import { MOST_UPLOADS, uploads, type UploadsEvent } from './uploads.ts';

const given = specify(uploads);
const grant = { type: 'Grant', file: 'f', by: 'ann' } as const;
const granted: UploadsEvent = { type: 'UploadGranted', file: 'f', by: 'ann' };
const copied: UploadsEvent = { type: 'CopiesGranted', files: 2, by: 'ann' };
const left = (files: number): UploadsEvent => ({ type: 'UploadsCleanedUp', removed: 0, left: files });
const emptied: UploadsEvent = { type: 'FilesRemoved', files: 2 };

describe('the uploads of a user for a bot', () => {
  it('are granted', () => given().when(grant).emits(granted));
  it('are limited', () =>
    given(left(MOST_UPLOADS - 1), granted)
      .when(grant)
      .refuses('too_many_uploads'));
  it('are granted again when unused ones were removed', () => given(left(MOST_UPLOADS), left(1)).when(grant).emits(granted));
  it('are granted up to the limit', () =>
    given(left(MOST_UPLOADS - 1))
      .when(grant)
      .emits(granted));
  it('count each copied file', () =>
    given(left(MOST_UPLOADS - 3), copied)
      .when({ type: 'GrantCopies', files: 1, by: 'ann' })
      .emits({ type: 'CopiesGranted', files: 1, by: 'ann' }));
  it('are limited, including the copied files', () =>
    given(left(MOST_UPLOADS - 3), copied)
      .when({ type: 'GrantCopies', files: 2, by: 'ann' })
      .refuses('too_many_uploads'));
  it('are not granted for zero copies', () => given().when({ type: 'GrantCopies', files: 0, by: 'ann' }).emits());
  it('are counted again when files were copied', () =>
    given(emptied, copied).when({ type: 'RemoveAll', files: 2 }).emits({ type: 'FilesRemoved', files: 2 }));
  it('can be removed one by one', () =>
    given(granted).when({ type: 'RemoveFile', file: 'f', by: 'ann' }).emits({ type: 'FileRemoved', file: 'f', by: 'ann' }));
  it('are removed together and counted once', () => given(granted, emptied).when({ type: 'RemoveAll', files: 1 }).emits());
  it('are counted again when more were granted', () =>
    given(emptied, granted).when({ type: 'RemoveAll', files: 1 }).emits({ type: 'FilesRemoved', files: 1 }));
  it('are not removed if there are none', () => given().when({ type: 'RemoveAll', files: 0 }).emits());
  it('are granted up to the full limit again when all were removed', () => given(left(MOST_UPLOADS), emptied).when(grant).emits(granted));
});
