import { afterAll } from '@jest/globals';
import { changedPrompts } from './changed-prompts.ts';
import { promptLists } from './prompt-lists.ts';
import { promptsOfUsers } from './prompts-of-users.ts';
import { promptsUnderTest } from './prompts-under-test.ts';
import { sharedPrompts } from './shared-prompts.ts';

// One service for all cases.
const prompts = await promptsUnderTest();
afterAll(() => prompts.bots.stop());

changedPrompts(prompts);
sharedPrompts(prompts);
promptLists(prompts);
promptsOfUsers(prompts);
