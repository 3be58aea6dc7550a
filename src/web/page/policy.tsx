import type { Policy } from '../../access/keys/policy.ts';
import type { Content, Html } from '../shared/jsx.ts';
import { PostForm } from './forms.tsx';
import type { Page } from './page.ts';

/** In place of a page that needs the policy. @param next the page. */
export function policyFirst(policy: Policy, next: string): Page {
  return {
    title: 'Accept the policy to continue',
    isNarrow: true,
    main: (
      <div class="card">
        {policyRules(policy, true)}
        {acceptForm(policy, next)}
      </div>
    ),
  };
}

/** What who continues agrees to. */
export function policyRules(policy: Policy, isOpen = false): Content {
  return [
    <p class="small">
      By continuing, you agree to the <a href="/policy">acceptable-use policy</a>.
    </p>,
    <details open={isOpen}>
      <summary>What it says in short</summary>
      {rulesOf(policy)}
    </details>,
  ];
}

/** Before the text of the policy, which is long: what it rules. Empty for one whose rules have no names. */
export function policyInShort(text: string): Content {
  const sections = readRules(text);
  return (
    sections.length > 0 && [
      <h2>In short</h2>,
      sections.map(({ title, rules }) => [<p>{title}:</p>, listOf(rules)]),
    ]
  );
}

/** What a policy rules, by its sections that number their rules: the words in bold at the beginning of each. */
function readRules(text: string): { readonly title: string; readonly rules: readonly string[] }[] {
  return text.split(/^## /m).flatMap((section) => {
    const rules = [...section.matchAll(/^\d+\. \*\*([^*]+?)\.?\*\*/gm)].map(([, rule = '']) => rule);
    return rules.length === 0 ? [] : [{ title: section.split('\n', 1).join(''), rules }];
  });
}

/** The same, each section with its heading. */
export const rulesOf = ({ text }: Policy): Html[] =>
  readRules(text).flatMap(({ title, rules }) => [<h2>{title}</h2>, listOf(rules)]);

const listOf = (rules: readonly string[]): Html => (
  <ul>
    {rules.map((rule) => (
      <li>{rule}</li>
    ))}
  </ul>
);

function acceptForm({ version }: Policy, next: string): Html {
  return (
    <PostForm action="/dashboard/policy" button="Accept and continue" hidden={{ accept: version, next }}>
      <p class="soft small">You accept version {version}. It is recorded with your account.</p>
    </PostForm>
  );
}
