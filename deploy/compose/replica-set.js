// Run by mongosh each time the stack comes up: makes the replica set when there is none, and returns once it takes writes.
/* global db, rs, sleep, quit */
try {
  rs.status();
} catch (error) {
  if (error.codeName !== 'NotYetInitialized') throw error;
  rs.initiate({ _id: 'parlance', members: [{ _id: 0, host: 'mongo:27017' }] });
}
for (let attempt = 0; !db.hello().isWritablePrimary; attempt += 1) {
  if (attempt === 120) {
    print('no primary within 60 seconds');
    quit(1);
  }
  sleep(500);
}
