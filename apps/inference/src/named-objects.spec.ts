import { describe, expect, it } from '@jest/globals';
import { named, released } from '@parlance/object-store';
import { namedObjects } from './named-objects.ts';

const file = { id: 'm.0', kind: 'image', mediaType: 'image/png', bytes: 3, sealed: 's' };
const document = { ...file, id: 'm.1', kind: 'attachment', textBytes: 2 };
const inConversation = (event: { readonly type: string; readonly [field: string]: unknown }) => namedObjects('conversation-c', event);
const inFiles = (event: { readonly type: string; readonly [field: string]: unknown }) => namedObjects('gatewayfiles-ann', event);

describe('the objects that events of inference name', () => {
  const stored = ['message-files/c/m.0', 'message-files/c/m.1', 'message-files/c/m.1.text'].map((key) => named(key, 'conversation:c'));

  it('are the files of messages and their texts', () => {
    expect(inConversation({ type: 'MessageSubmitted', userId: 'ann', files: [file, document] })).toEqual(stored);
    for (const type of ['ConversationImported', 'MessagesImported'])
      expect(inConversation({ type, userId: 'ann', messages: [{ id: 'm', files: [file, document] }, { id: 'n' }] })).toEqual(stored);
    expect(inConversation({ type: 'MessageSubmitted', userId: 'ann' })).toEqual([]);
  });
  it('are the images that calls of tools have made', () => {
    expect(inConversation({ type: 'ToolAnswered', userId: 'ann', files: [file] })).toEqual(stored.slice(0, 1));
    expect(inConversation({ type: 'ToolAnswered' })).toEqual([]);
  });
  it('may be removed when their retention ends, and with their messages or conversation', () => {
    expect(inConversation({ type: 'MessageFilesExpired', messageId: 'm' })).toEqual([released('message-files/c/m.')]);
    expect(inConversation({ type: 'MessagesRemoved', messageIds: ['m', 'n'] })).toEqual(
      ['message-files/c/m.', 'message-files/c/n.'].map((prefix) => released(prefix)),
    );
    for (const type of ['ConversationErasureBegun', 'ConversationErased'])
      expect(inConversation({ type })).toEqual([released('message-files/c/')]);
  });
  it('are the files of programs until they are removed', () => {
    expect(inFiles({ type: 'GatewayFileAdded', fileId: 'f' })).toEqual([named('gateway-files/ann/f', 'gateway-file:f')]);
    expect(inFiles({ type: 'GatewayFileRemoved', fileId: 'f' })).toEqual([released('gateway-files/ann/f')]);
  });
  it('are not the files that are stored for a short time', () =>
    expect(namedObjects('ownexport-ann', { type: 'OwnExportCompleted' })).toEqual([]));
});
