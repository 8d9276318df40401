// Runs deploy/compose/replica-set.js as mongosh does, beside a stand-in for mongod. MongoDB itself is not started here.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';

/** Returns what was done. `database` has `isInitiated` and `users`, and is changed. */
export function replicaSetStarted(root, { database, access, password }) {
  const done = [];
  const refuse = (codeName) => {
    throw Object.assign(new Error(codeName), { codeName });
  };
  const admin = {
    auth(user, given) {
      assert.ok(database.users.some((each) => each.user === user && each.pwd === given));
      done.push(`auth ${user}`);
    },
    createUser(user) {
      // A connection without a user may create only the first one.
      if (access !== 'off' && database.users.length > 0) refuse('Unauthorized');
      database.users.push(user);
      done.push(`createUser ${user.user}`);
    },
  };
  runInNewContext(readFileSync(join(root, 'deploy/compose/replica-set.js'), 'utf8'), {
    require: () => ({ readFileSync: () => password }),
    process: { env: { MONGO_ACCESS_CONTROL: access } },
    db: { getSiblingDB: () => admin, hello: () => ({ isWritablePrimary: database.isInitiated }) },
    rs: {
      status() {
        if (access !== 'off' && database.users.length > 0) refuse('Unauthorized');
        if (!database.isInitiated) refuse('NotYetInitialized');
      },
      initiate() {
        database.isInitiated = true;
        done.push('rs.initiate');
      },
    },
    sleep: () => assert.fail('the set takes no writes'),
  });
  return done;
}
