import { describe, it } from '@jest/globals';
import { Instant } from '@parlance/decider';
import { specify } from '@parlance/decider/specify';
import { type AddedFile, gatewayFiles, type GatewayFilesEvent } from './gateway-files.ts';
import { MAX_GATEWAY_BYTES, MAX_GATEWAY_FILES } from './gateway-limits.ts';

const noon = Instant.parse('2026-01-01T12:00:00Z');
const later = Instant.plus(noon, 1_000);
const given = specify(gatewayFiles);
const file: AddedFile = { fileId: 'f', purpose: 'batch', bytes: 10, at: noon, expiresAt: later, sealed: 's1.x.y' };
const add = (changes: Partial<AddedFile> = {}) => ({ type: 'Add', ...file, ...changes }) as const;
const added = (changes: Partial<AddedFile> = {}): GatewayFilesEvent => ({ type: 'GatewayFileAdded', ...file, ...changes });
const full = Array.from({ length: MAX_GATEWAY_FILES }, (_, index) => added({ fileId: `f${index}` }));

describe('adding a file', () => {
  it('records it once', () => {
    given().when(add()).emits(added());
    given(added()).when(add()).emits();
  });
  it('is refused when there are too many files, or they are too large together', () => {
    given(...full)
      .when(add({ fileId: 'more' }))
      .refuses('too_many_files');
    given(added({ bytes: MAX_GATEWAY_BYTES }))
      .when(add({ fileId: 'more', bytes: 1 }))
      .refuses('files_too_large');
  });
  it('is always possible for the answers of a batch', () => {
    const output = { fileId: 'more', purpose: 'batch_output' } as const;
    given(...full)
      .when(add(output))
      .emits(added(output));
  });
  it('is possible again when others were removed', () => {
    const removed = { type: 'GatewayFileRemoved', fileId: 'f0', because: 'removed' } as const;
    given(...full, removed)
      .when(add({ fileId: 'more' }))
      .emits(added({ fileId: 'more' }));
  });
});

describe('removing a file', () => {
  it('happens once', () => {
    const removed = { type: 'GatewayFileRemoved', fileId: 'f', because: 'removed' } as const;
    given(added()).when({ type: 'Remove', fileId: 'f' }).emits(removed);
    given(added(), removed).when({ type: 'Remove', fileId: 'f' }).emits();
  });
  it('happens when the file has expired, and not before', () => {
    given(added()).when({ type: 'Expire', fileId: 'f', now: noon }).emits();
    given(added()).when({ type: 'Expire', fileId: 'f', now: later }).emits({ type: 'GatewayFileRemoved', fileId: 'f', because: 'expired' });
  });
});

describe('erasing the user', () => {
  it('removes all files, and refuses later ones', () => {
    const removed = { type: 'GatewayFileRemoved', fileId: 'f', because: 'user_erased' } as const;
    const erased = { type: 'GatewayFilesErased', files: 1 } as const;
    given(added()).when({ type: 'Erase' }).emits(removed, erased);
    given(added(), removed, erased).when({ type: 'Erase' }).emits();
    given(added(), removed, erased)
      .when(add({ fileId: 'late' }))
      .refuses('user_not_found');
  });
});
