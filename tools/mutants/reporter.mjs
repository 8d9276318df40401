// Ends the run at the first failed test, or when the time for specs of dependants is over. Reports each spec
// and test to the parent process as it runs.
const { own, dependants } = JSON.parse(process.env.MUTANT_RUN);
let until = null;

export default class Reporter {
  onTestFileStart({ path }) {
    if (!own.includes(path)) until ??= Date.now() + dependants;
    if (until !== null && Date.now() > until) process.exit(0);
    process.send({ spec: path });
  }

  onTestCaseResult({ path }, { status, fullName }) {
    if (status === 'failed') killed(path, fullName);
    else process.send({ spec: path });
  }

  onTestFileResult({ path }, { testExecError }) {
    if (testExecError) killed(path, 'cannot be loaded');
  }

  getLastError() {
    return undefined;
  }
}

function killed(path, test) {
  process.send({ spec: path, test }, () => process.exit(1));
}
