// Races of sign-ins, links and sessions.
import { stepAt } from '../factor-user.mjs';
import { accepted, broken, exactly, PASSWORD } from './race-world.mjs';

const AT_ONCE = 8;
const copies = (work) => Array.from({ length: AT_ONCE }, () => work);

/** Sends the same proof in two sign-ins, several times each. */
async function provedOnce(world, chance, user, proof) {
  const challenges = [await user.challenge(), await user.challenge()];
  const works = challenges.flatMap((challenge_token) =>
    copies(() => world.ask(undefined, 'POST', '/auth/second-factor', { challenge_token, ...proof })),
  );
  const answers = await world.race(chance, works);
  return { won: `${accepted(answers)} accepted`, problems: [...exactly(1, answers), ...broken(answers)] };
}

export const races = {
  'a code of an app, twice': async (world, chance) => {
    const user = await world.factorUser();
    return provedOnce(world, chance, user, { code: user.codeOf(stepAt(Date.now())) });
  },

  'a recovery code, twice': async (world, chance) => {
    const user = await world.factorUser();
    return provedOnce(world, chance, user, { recovery_code: user.codes[0] });
  },

  'an invitation, accepted twice': async (world, chance, round) => {
    const email = `invited-${round}@example.org`;
    await world.good(null, 'POST', '/admin/invitations', { email, groups: [] });
    const token = await world.linkTo(email);
    const passwords = Array.from({ length: AT_ONCE }, (_, index) => `${PASSWORD} ${index}`);
    const accept = (password) => () =>
      world.ask(undefined, 'POST', '/auth/invitations/accept', { token, password, first_name: 'Ann', last_name: 'Invited' });
    const answers = await world.race(chance, passwords.map(accept));
    const { users } = await world.good(null, 'GET', `/user/search?prefix=${email}`);
    const signIns = [];
    for (const password of passwords) signIns.push(await world.ask(undefined, 'POST', '/auth/sign-in', { email, password }));
    const many = users.length === 1 ? [] : [`there are ${users.length} users of the address`];
    return {
      won: `${accepted(answers)} accepted`,
      problems: [...exactly(1, answers), ...exactly(1, signIns.slice(0, AT_ONCE)), ...broken(answers), ...many],
    };
  },

  'a password reset, used twice': async (world, chance) => {
    const { userId, email } = await world.person();
    const { reset_token } = await world.good(null, 'POST', `/admin/users/${userId}/password-reset`);
    const passwords = Array.from({ length: AT_ONCE }, (_, index) => `${PASSWORD} ${index}`);
    const reset = (new_password) => () => world.ask(undefined, 'POST', '/auth/password-reset', { reset_token, new_password });
    const answers = await world.race(chance, passwords.map(reset));
    const winner = passwords[answers.findIndex(({ status }) => status < 300)];
    const lost = winner === undefined ? [] : broken([await world.ask(undefined, 'POST', '/auth/sign-in', { email, password: winner })]);
    return { won: `${accepted(answers)} accepted`, problems: [...exactly(1, answers), ...broken(answers), ...lost] };
  },

  'a disabled user, whose token is used': async (world, chance) => {
    const { userId, token } = await world.person();
    let isOver = false;
    const late = [];
    const use = async () => {
      for (let index = 0; index < 6; index++) {
        const wasOver = isOver;
        const answer = await world.ask(token, 'GET', '/user/me');
        if (wasOver && answer.status !== 401) late.push(`a request after the answer was answered with ${answer.status}`);
      }
    };
    const disable = async () => {
      await world.good(null, 'PATCH', `/admin/users/${userId}`, { enabled: false });
      isOver = true;
    };
    await world.race(chance, [disable, use, use, use, use]);
    await use();
    return { won: 'disabled', problems: late };
  },
};
