import { afterAll } from '@jest/globals';
import { answeringUser } from './answering-user.ts';
import { botHistory } from './bot-history.ts';
import { changedFields } from './changed-fields.ts';
import { changesUnderTest } from './changes-under-test.ts';
import { restoredVersions } from './restored-versions.ts';

// One service for all cases.
const changes = await changesUnderTest();
afterAll(() => changes.bots.stop());

answeringUser(changes);
changedFields(changes);
botHistory(changes);
restoredVersions(changes);
