import { expect, it } from '@jest/globals';
import { outdatedRevocations } from '@parlance/revocation';
import { revocations } from './revocations.ts';

it('revocations are removed a month after they end', () => expect(revocations.outdated).toBe(outdatedRevocations));
