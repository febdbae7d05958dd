<?php
// In: a page that is about to be sent. Out: its head names the script of <rig-view>, which fetches nothing else before a model is near.

class action_plugin_rigview extends DokuWiki_Action_Plugin
{
    public function register(Doku_Event_Handler $controller)
    {
        $controller->register_hook('TPL_METAHEADER_OUTPUT', 'BEFORE', $this, 'head');
    }

    public function head(Doku_Event $event)
    {
        $event->data['script'][] = [
            'type' => 'module',
            'src' => DOKU_BASE . 'lib/plugins/rigview/package/rigview.js',
            '_data' => '',
        ];
    }
}
