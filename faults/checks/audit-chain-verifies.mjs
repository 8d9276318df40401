// I11, the second half: each entry's hash covers the entry and the previous hash, along the whole trail, under the trail's key.
import { createHmac } from 'node:crypto';

export function auditChainVerifies({ evidence }) {
  const problems = [];
  const key = evidence.key('audit-trail');
  let head = '';
  for (const { event } of evidence.stream('analytics', 'audit-trail').flatMap(({ events }) => events)) {
    const { entry, previousHash, hash, proof } = event;
    if (proof !== 'hmac-sha256') problems.push(`audit entry ${entry.id} has a hash without the key`);
    if (previousHash !== head) problems.push(`audit entry ${entry.id} follows ${previousHash || 'nothing'}, not ${head || 'nothing'}`);
    const { id, user_id, action_type, resource_type, resource_id, timestamp, details, ip_address, user_agent, success, error_message } =
      entry;
    const fields = [
      id,
      user_id,
      action_type,
      resource_type,
      resource_id,
      timestamp,
      details,
      ip_address,
      user_agent,
      success,
      error_message,
    ];
    const right = createHmac('sha256', key)
      .update(JSON.stringify([previousHash, ...fields]))
      .digest('hex');
    if (hash !== right) problems.push(`audit entry ${entry.id} does not match its hash`);
    head = hash;
  }
  return problems;
}
