import { describe, expect, it } from '@jest/globals';
import type { Config } from '@parlance/config';
import type { Logger } from '@parlance/observability';
import { WarnOfAutoJoinOnStart } from './warn-of-auto-join-on-start.ts';

const warningsOf = (autoJoinUserGroups: readonly string[], selfSignUpEnabled: boolean) => {
  const lines: unknown[] = [];
  const log = { warn: (...line: unknown[]) => void lines.push(line) };
  new WarnOfAutoJoinOnStart({ autoJoinUserGroups, selfSignUpEnabled } as Config, log as unknown as Logger).onApplicationBootstrap();
  return lines;
};

describe('a start with autoJoinUserGroups that users who sign up do not join', () => {
  it('logs one line with the groups and what to do', () => {
    expect(warningsOf(['CreatingBotAllowed', 'PublishAllowed', 'Admin'], true)).toEqual([
      [
        { groups: ['PublishAllowed', 'Admin'] },
        'users who sign up do not join PublishAllowed, Admin, although autoJoinUserGroups names them: remove them from the setting, or add the users with confirm_unverified=true',
      ],
    ]);
  });
  it.each<[string, readonly string[], boolean]>([
    ['all may join the groups', ['CreatingBotAllowed', 'red'], true],
    ['users cannot sign up, and others have verified addresses', ['Admin'], false],
  ])('says nothing where %s', (_, groups, signUp) => expect(warningsOf(groups, signUp)).toEqual([]));
});
