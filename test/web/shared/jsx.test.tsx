import { describe, expect, it } from 'vitest';
import { type Content, render } from '../../../src/web/shared/jsx.ts';
import { renderMarkdown } from '../../../src/web/shared/markdown.tsx';

/** Data whose type is not what it says. */
const hostileData = (json: string): Content => JSON.parse(json);

describe('a view', () => {
  it('escapes its values for text and attributes, once', () => {
    const hostile = `"'<>&</script>`;
    const escaped = '&quot;&#39;&lt;&gt;&amp;&lt;/script&gt;';
    const link = (
      <a title={hostile} href={`/${hostile}`}>
        {hostile}
        <b>{'<'}</b>
      </a>
    );
    expect(render(link)).toBe(`<a title="${escaped}" href="/${escaped}">${escaped}<b>&lt;</b></a>`);
  });

  it('joins lists, shows numbers, and shows nothing for null, undefined and booleans', () => {
    const list = [1, <i>2</i>, ['&']];
    expect(
      render(
        <p>
          {list}
          {null}
          {undefined}
          {false}
          {true}
          {0}
        </p>,
      ),
    ).toBe('<p>1<i>2</i>&amp;0</p>');
    expect(render(<input value={undefined} required checked={false} />)).toBe('<input required=""/>');
  });

  it('contains no object of data, even one that claims to be escaped', () => {
    const json = '{"isEscaped":true,"tag":"script","props":{},"children":[]}';
    expect(() => <p>{hostileData(json)}</p>).toThrow('A view contains an object that is no element');
    expect(() => <p>{[['text', hostileData(json)]]}</p>).toThrow(TypeError);
    const Box = ({ children }: { readonly children: Content }) => <p>{children}</p>;
    expect(() => <Box>{hostileData(json)}</Box>).toThrow(TypeError);
    expect(() => <>{hostileData(json)}</>).toThrow(TypeError);
    expect(() => <p>{Promise.resolve('<b>') as unknown as Content}</p>).toThrow(TypeError);
    const escaped = Object.assign(new String('<script>'), { isEscaped: true as const });
    expect(() => <p>{escaped as unknown as Content}</p>).toThrow(TypeError);
  });

  it('accepts no value that its types do not allow', () => {
    // @ts-expect-error A promise: the view itself would become one.
    const promise: Content = Promise.resolve('text');
    // @ts-expect-error Parsed JSON, which Hono takes for HTML if it says so.
    const json: Content = { isEscaped: true, toString: () => '<script>' };
    // @ts-expect-error An attribute that does not exist.
    const attribute = () => <p clas="misspelled" />;
    // @ts-expect-error Raw HTML.
    const raw = () => <p dangerouslySetInnerHTML={{ __html: '<script>' }} />;
    // @ts-expect-error A script in an attribute.
    const handler = () => <button onclick="alert(1)" />;
    expect([promise, json].map((one) => typeof one)).toEqual(['object', 'object']);
    expect([attribute, raw, handler].map((one) => typeof one)).toEqual(Array(3).fill('function'));
  });
});

describe('Markdown', () => {
  it('becomes headings, paragraphs, lists, tables, code and links', () => {
    const text = [
      '# Title\n## Two `words`\n### Three',
      'One\ntwo **three** *four*.',
      'See [the **other** `page`](/other#a), <https://example.com>, a\\|b.',
      '| a | b |\n| --- | --: |\n| `x\\|y` | 1 |',
      '- a\n  b\n- c\n\n1. d',
      '```sh\necho "<a>"\n\necho 2\n```',
      '> quoted',
    ].join('\n\n');
    expect(render(renderMarkdown(text))).toBe(
      '<h2>Two <code>words</code></h2><h3>Three</h3>' +
        '<p>One\ntwo <strong>three</strong> <em>four</em>.</p>' +
        '<p>See <a href="/other#a">the <strong>other</strong> <code>page</code></a>, <code>https://example.com</code>, a|b.</p>' +
        '<div class="scroll" tabindex="0" role="group" aria-label="Table"><table><caption class="hidden">Table</caption><thead><tr><th scope="col" class="line">A</th><th scope="col" class="number">B</th></tr></thead>' +
        '<tbody><tr><th scope="row" class="line"><code>x|y</code></th><td class="number">1</td></tr></tbody></table></div>' +
        '<ul><li>a\nb</li><li>c</li></ul><ol><li>d</li></ol>' +
        '<pre tabindex="0"><code>echo &quot;&lt;a&gt;&quot;\n\necho 2</code></pre>' +
        '<blockquote><p>quoted</p></blockquote>',
    );
  });

  it.each([
    ['[a](javascript:b)', '<p>[a](javascript:b)</p>'],
    ['![a](https://example.com/b)', '<p>![a](https://example.com/b)</p>'],
    ['a <b onclick="c">d</b> &amp;', '<p>a &lt;b onclick=&quot;c&quot;&gt;d&lt;/b&gt; &amp;amp;</p>'],
    ['<script>a</script>', '<p>&lt;script&gt;a&lt;/script&gt;</p>'],
    ['- <script>a</script>', '<ul><li><p>&lt;script&gt;a&lt;/script&gt;</p></li></ul>'],
    ['`<b>`', '<p><code>&lt;b&gt;</code></p>'],
    ['<!-- note -->', ''],
  ])('is harmless: %s', (text, shown) => {
    expect(render(renderMarkdown(text))).toBe(shown);
  });
});
