// The first Admin of a cluster, and the requests of scenarios.

export const admin = { email: 'admin@parlance.local', password: 'a password of the trial' };

export async function signedIn(url) {
  const ask = async (method, path, body, token) => {
    const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
    const answer = await fetch(`${url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    return { status: answer.status, body: await answer.json() };
  };
  const { body } = await ask('POST', '/auth/sign-in', admin);
  const token = body.access_token;
  return {
    /** Null when it was not acknowledged. */
    async createBot() {
      const answer = await ask('POST', '/bot', { title: 'Survivor' }, token).catch(() => null);
      return answer?.status === 201 ? answer.body.id : null;
    },
    async statusOf(id) {
      return (await ask('GET', `/bot/${id}`, undefined, token)).status;
    },
    async isKnownToPublication(id) {
      return (await ask('GET', `/bot/${id}/publication`, undefined, token)).body.code === 'not_published';
    },
    async audited(ids) {
      const { body: page } = await ask('GET', '/admin/audit-logs?limit=1000', undefined, token);
      return page.audit_logs.filter((entry) => ids.includes(entry.resource_id)).length;
    },
  };
}

/** The number of dead letters of all consumer groups. */
export async function deadLetters(running) {
  const { openKafkaBroker } = await import('@parlance/messaging/kafka');
  const broker = await openKafkaBroker({ brokers: running.servers.get('kafka').brokers, clientId: 'faults' });
  try {
    const groups = await Promise.all(['inference', 'publication', 'analytics'].map((group) => broker.deadLetters(group, 100)));
    return groups.flat().length;
  } finally {
    await broker.close();
  }
}
