import { describe, expect, it } from '@jest/globals';
import { audiencesOf } from './notification-list.ts';

const many = Array.from({ length: 60 }, (_, index) => `group ${index}`);

describe('the audiences whose notifications a user sees', () => {
  it('are the user and the first 50 groups', () =>
    expect(audiencesOf({ userId: 'ann', groups: many })).toEqual(['user:ann', ...many.slice(0, 50).map((group) => `group:${group}`)]));
  it('include administrators, whatever other groups the user has', () => {
    const audiences = audiencesOf({ userId: 'ann', groups: [...many, 'Admin'] });
    expect([audiences.length, audiences.includes('group:Admin')]).toEqual([51, true]);
  });
  it('do not include administrators with a personal access token', () =>
    expect(audiencesOf({ userId: 'ann', groups: ['Admin', 'team'], tokenId: 't' })).toEqual(['user:ann', 'group:team']));
});
