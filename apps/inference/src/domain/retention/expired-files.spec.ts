import { describe, it } from '@jest/globals';
import { given, started, submitted } from '../../../test/conversation-events.ts';

const expire = { type: 'ExpireFiles', messageId: 'm1', files: 2, ruleId: 'rule', holds: [] } as const;
const expired = { type: 'MessageFilesExpired', userId: 'ann', botId: 'b', messageId: 'm1', files: 2, ruleId: 'rule' } as const;
const end = { type: 'EndFiles', messageId: 'm1' } as const;
const begun = { type: 'ConversationErasureBegun', userId: 'ann', deleted: true, botId: 'b', messages: 2 } as const;

describe('the files of a message to which a retention rule applies', () => {
  it('are removed in two steps', () => {
    given(started, submitted).when(expire).emits(expired);
    given(started, submitted, expired).when(end).emits({ type: 'MessageFilesRemoved', messageId: 'm1' });
  });
  it('stay while the message is a reply that is being written', () =>
    given(started, submitted)
      .when({ ...expire, messageId: submitted.replyId })
      .emits());
  it('stay while there is a hold', () =>
    given(started, submitted)
      .when({ ...expire, holds: ['h'] })
      .emits());
  it('name the published API of their conversation', () => {
    const api = { apiId: 'api', keyId: 'k' } as const;
    given({ ...started, api }, { ...submitted, api })
      .when(expire)
      .emits({ ...expired, apiId: 'api' });
  });
  it('are removed with a conversation that is being deleted', () => {
    given(started, submitted, begun).when(expire).refuses('conversation_not_found');
    given(started, submitted, expired, begun).when(end).refuses('conversation_not_found');
  });
  it('are refused for an unknown conversation', () => given().when(expire).refuses('conversation_not_found'));
});
