<?php
// In: {{rigview>files?parameters|words}} on a page. Out: <rig-view>, with a link to the files for readers without scripts.
// The package's rigview.js and rigview_bg.wasm lie in this folder, in package/.

class syntax_plugin_rigview extends DokuWiki_Syntax_Plugin
{
    /** Attributes of the element that a page may set, as the parameters are named. */
    private const ATTRIBUTES = [
        'clip', 'legs', 'torso', 'frame', 'variant', 'camera-orbit', 'camera-target', 'fov', 'autoplay', 'loop', 'speed', 'controls',
        'auto-rotate', 'poster', 'loading', 'reveal', 'wireframe', 'joints', 'tags', 'grid', 'background', 'missing',
    ];

    public function getType()
    {
        return 'substition';
    }

    public function getPType()
    {
        return 'block';
    }

    /** Before DokuWiki's own {{media}}, which would take it for a file. */
    public function getSort()
    {
        return 300;
    }

    public function connectTo($mode)
    {
        $this->Lexer->addSpecialPattern('\{\{rigview>[^}]+\}\}', $mode, 'plugin_rigview');
    }

    public function handle($match, $state, $pos, Doku_Handler $handler)
    {
        $inner = substr($match, strlen('{{rigview>'), -2);
        [$target, $alt] = array_pad(explode('|', $inner, 2), 2, '');
        [$files, $query] = array_pad(explode('?', $target, 2), 2, '');
        parse_str(trim($query), $parameters);
        return [preg_split('/\s+/', trim($files), -1, PREG_SPLIT_NO_EMPTY), $parameters, trim($alt)];
    }

    public function render($format, Doku_Renderer $renderer, $data)
    {
        [$files, $parameters, $alt] = $data;
        $urls = array_map([$this, 'address'], $files);
        if ($format === 'metadata') {
            return true;
        }
        if ($format !== 'xhtml') {
            return false;
        }
        $attributes = ['src' => implode(' ', $urls), 'alt' => $alt];
        foreach (self::ATTRIBUTES as $name) {
            // PHP turns a parameter's dots and blanks into underscores, not its hyphens.
            if (isset($parameters[$name]) && is_string($parameters[$name])) {
                $attributes[$name] = $parameters[$name];
            }
        }
        if (!isset($attributes['controls'])) {
            $attributes['controls'] = '';
        }
        $html = '<rig-view';
        foreach ($attributes as $name => $value) {
            $html .= ' ' . $name . '="' . hsc($value) . '"';
        }
        foreach (['width', 'height'] as $side) {
            if (isset($parameters[$side]) && ctype_digit($parameters[$side])) {
                $sizes[] = $side . ':' . (int) $parameters[$side] . 'px';
            }
        }
        if (!empty($sizes)) {
            $html .= ' style="' . implode(';', $sizes) . ';max-width:100%"';
        }
        $label = $alt !== '' ? $alt : implode(', ', $files);
        $html .= '><noscript><a href="' . hsc($urls[0] ?? '#') . '">' . hsc($label) . '</a></noscript></rig-view>';
        $renderer->doc .= $html;
        return true;
    }

    /** The address of a file: one of the wiki's media, or an address of the web. What is after # chooses inside an archive. */
    private function address($file)
    {
        [$name, $inside] = array_pad(explode('#', $file, 2), 2, '');
        if (preg_match('#^https?://#i', $name)) {
            $url = $name;
        } else {
            // Media keep their names on the server; a blank in an address would part two files.
            $url = ml(cleanID($name), '', true, '&');
        }
        return str_replace(' ', '%20', $url) . ($inside !== '' ? '#' . rawurlencode($inside) : '');
    }
}
