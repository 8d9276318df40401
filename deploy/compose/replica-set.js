// Run by mongosh beside mongod each time the stack comes up: makes the replica set when there is none, and the user of the services when there is no
// user, also in data of releases that had none. Returns once the set takes writes.
/* global db, rs, sleep, quit */
const { readFileSync } = require('node:fs');

const NAME = 'parlance';
const hasAccessControl = process.env.MONGO_ACCESS_CONTROL !== 'off';
const password = readFileSync('/run/secrets/parlance/password', 'utf8');
const admin = db.getSiblingDB('admin');

let hasUser = false;
try {
  rs.status();
} catch (error) {
  if (error.codeName === 'NotYetInitialized') rs.initiate({ _id: 'parlance', members: [{ _id: 0, host: 'mongo:27017' }] });
  else if (error.codeName === 'Unauthorized' || error.codeName === 'AuthenticationRequired') hasUser = true;
  else throw error;
}
for (let attempt = 0; !db.hello().isWritablePrimary; attempt += 1) {
  if (attempt === 120) {
    print('no primary within 60 seconds');
    quit(1);
  }
  sleep(500);
}
if (hasUser) admin.auth(NAME, password);
else if (hasAccessControl)
  admin.createUser({ user: NAME, pwd: password, roles: ['readWriteAnyDatabase', 'dbAdminAnyDatabase', 'clusterMonitor'] });
