; The installer for one user: no administrator, no question but where. .ci/windows gives VERSION, NUMBERS, SIZE (in
; kilobytes), SOURCE (the folder of what is installed) and OUT.

Unicode true
Target amd64-unicode
ManifestDPIAware true
ManifestSupportedOS Win10
SetCompressor /SOLID lzma
RequestExecutionLevel user

!include MUI2.nsh
!include LogicLib.nsh
!include WinVer.nsh

!define ID "org.kairos.Reader"
!define CLASSES "Software\Classes"
!define APP_PATH "Software\Microsoft\Windows\CurrentVersion\App Paths\kairos.exe"
!define UNINSTALL "Software\Microsoft\Windows\CurrentVersion\Uninstall\Kairos"
!define RUN "Software\Microsoft\Windows\CurrentVersion\Run"
!define APPROVED "Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run"

Name "Kairos"
OutFile "${OUT}"
InstallDir "$LOCALAPPDATA\Programs\Kairos"
InstallDirRegKey HKCU "${UNINSTALL}" InstallLocation
BrandingText " "

VIProductVersion "${NUMBERS}"
VIAddVersionKey ProductName "Kairos"
VIAddVersionKey ProductVersion "${VERSION}"
VIAddVersionKey FileDescription "Kairos installer"
VIAddVersionKey FileVersion "${VERSION}"
VIAddVersionKey LegalCopyright "MIT license"

!define MUI_ICON "kairos.ico"
!define MUI_UNICON "kairos.ico"
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!define MUI_FINISHPAGE_RUN "$INSTDIR\kairos.exe"
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"
!insertmacro MUI_LANGUAGE "German"
!insertmacro MUI_LANGUAGE "SimpChinese"

LangString TooOld ${LANG_ENGLISH} "Kairos needs Windows 10 or newer."
LangString TooOld ${LANG_GERMAN} "Kairos braucht Windows 10 oder neuer."
LangString TooOld ${LANG_SIMPCHINESE} "Kairos 需要 Windows 10 或更新版本。"
LangString Runs ${LANG_ENGLISH} "Kairos is running. Quit it in its menu or by its icon beside the clock, then try again."
LangString Runs ${LANG_GERMAN} "Kairos läuft. Beenden Sie es in seinem Menü oder über sein Symbol neben der Uhr und versuchen Sie es dann noch einmal."
LangString Runs ${LANG_SIMPCHINESE} "Kairos 正在运行。请通过其菜单或时钟旁的图标退出，然后重试。"
LangString Kept ${LANG_ENGLISH} "Your feeds and articles are kept, in $LOCALAPPDATA\Kairos."
LangString Kept ${LANG_GERMAN} "Ihre Feeds und Artikel bleiben erhalten, in $LOCALAPPDATA\Kairos."
LangString Kept ${LANG_SIMPCHINESE} "您的订阅源和文章保留在 $LOCALAPPDATA\Kairos。"

; Windows keeps a running program from being written. Whoever installs silently gets an exit code instead of a sentence.
!macro AWAIT_END
	${DoWhile} ${FileExists} "$INSTDIR\kairos.exe"
		ClearErrors
		FileOpen $0 "$INSTDIR\kairos.exe" a
		${IfNot} ${Errors}
			FileClose $0
			${Break}
		${EndIf}
		${If} ${Cmd} `MessageBox MB_RETRYCANCEL|MB_ICONINFORMATION "$(Runs)" /SD IDCANCEL IDCANCEL`
			SetErrorLevel 3
			Quit
		${EndIf}
	${Loop}
!macroend

; Says to Explorer that what opens files has changed (SHCNE_ASSOCCHANGED).
!macro TELL_EXPLORER
	System::Call 'shell32::SHChangeNotify(i 0x08000000, i 0, p 0, p 0)'
!macroend

; A program id: what is opened with Kairos, its words and its command.
!macro PROGRAM_ID NAME WORDS
	WriteRegStr HKCU "${CLASSES}\${NAME}" "" "${WORDS}"
	WriteRegStr HKCU "${CLASSES}\${NAME}\DefaultIcon" "" "$INSTDIR\kairos.exe,0"
	WriteRegStr HKCU "${CLASSES}\${NAME}\shell\open\command" "" '"$INSTDIR\kairos.exe" "%1"'
!macroend

; Links of a scheme open in Kairos where they open in nothing else. $1 is the folder of the version before.
!macro SCHEME NAME
	ReadRegStr $0 HKCR "${NAME}\shell\open\command" ""
	${If} $0 == ""
	${OrIf} $0 == '"$1\kairos.exe" "%1"'
		!insertmacro PROGRAM_ID "${NAME}" "URL:${NAME}"
		WriteRegStr HKCU "${CLASSES}\${NAME}" "URL Protocol" ""
	${EndIf}
!macroend

!macro FORGET_SCHEME NAME
	ReadRegStr $0 HKCU "${CLASSES}\${NAME}\shell\open\command" ""
	${If} $0 == '"$INSTDIR\kairos.exe" "%1"'
		DeleteRegKey HKCU "${CLASSES}\${NAME}"
	${EndIf}
!macroend

Function .onInit
	${IfNot} ${AtLeastWin10}
		MessageBox MB_OK|MB_ICONSTOP "$(TooOld)" /SD IDOK
		SetErrorLevel 2
		Quit
	${EndIf}
FunctionEnd

Section
	!insertmacro AWAIT_END
	SetOutPath "$INSTDIR"
	File /r "${SOURCE}/*"
	WriteUninstaller "$INSTDIR\uninstall.exe"
	CreateShortcut "$SMPROGRAMS\Kairos.lnk" "$INSTDIR\kairos.exe"

	WriteRegStr HKCU "${APP_PATH}" "" "$INSTDIR\kairos.exe"
	WriteRegStr HKCU "${APP_PATH}" Path "$INSTDIR"

	; Offered for lists of feeds and for feed: and feeds: links, in the settings of Windows and under "Open with". Both open in Kairos
	; at once where nothing else has them.
	!insertmacro PROGRAM_ID "Kairos.opml" "OPML"
	!insertmacro PROGRAM_ID "Kairos.feed" "URL:feed"
	WriteRegStr HKCU "${CLASSES}\Kairos.feed" "URL Protocol" ""
	WriteRegStr HKCU "${CLASSES}\.opml\OpenWithProgids" "Kairos.opml" ""
	ReadRegStr $0 HKCR ".opml" ""
	${If} $0 == ""
		WriteRegStr HKCU "${CLASSES}\.opml" "" "Kairos.opml"
		WriteRegStr HKCU "${CLASSES}\.opml" "Content Type" "text/x-opml"
	${EndIf}
	ReadRegStr $1 HKCU "${UNINSTALL}" InstallLocation ; of the version before
	!insertmacro SCHEME feed
	!insertmacro SCHEME feeds
	WriteRegStr HKCU "Software\Kairos\Capabilities" ApplicationName "Kairos"
	WriteRegStr HKCU "Software\Kairos\Capabilities" ApplicationDescription "Feed reader"
	WriteRegStr HKCU "Software\Kairos\Capabilities\FileAssociations" ".opml" "Kairos.opml"
	WriteRegStr HKCU "Software\Kairos\Capabilities\UrlAssociations" "feed" "Kairos.feed"
	WriteRegStr HKCU "Software\Kairos\Capabilities\UrlAssociations" "feeds" "Kairos.feed"
	WriteRegStr HKCU "Software\RegisteredApplications" "Kairos" "Software\Kairos\Capabilities"

	; Windows shows notifications only of programs it knows by this name.
	WriteRegStr HKCU "${CLASSES}\AppUserModelId\${ID}" DisplayName "Kairos"
	WriteRegStr HKCU "${CLASSES}\AppUserModelId\${ID}" IconUri "$INSTDIR\kairos.png"

	WriteRegStr HKCU "${UNINSTALL}" DisplayName "Kairos"
	WriteRegStr HKCU "${UNINSTALL}" DisplayVersion "${VERSION}"
	WriteRegStr HKCU "${UNINSTALL}" Publisher "Kairos"
	WriteRegStr HKCU "${UNINSTALL}" DisplayIcon "$INSTDIR\kairos.exe,0"
	WriteRegStr HKCU "${UNINSTALL}" InstallLocation "$INSTDIR"
	WriteRegStr HKCU "${UNINSTALL}" UninstallString '"$INSTDIR\uninstall.exe"'
	WriteRegStr HKCU "${UNINSTALL}" QuietUninstallString '"$INSTDIR\uninstall.exe" /S'
	WriteRegDWORD HKCU "${UNINSTALL}" EstimatedSize ${SIZE}
	WriteRegDWORD HKCU "${UNINSTALL}" NoModify 1
	WriteRegDWORD HKCU "${UNINSTALL}" NoRepair 1
	!insertmacro TELL_EXPLORER
SectionEnd

Section Uninstall
	!insertmacro AWAIT_END
	Delete "$SMPROGRAMS\Kairos.lnk"

	; What the user has given to another program since stays with that one.
	ReadRegStr $0 HKCU "${CLASSES}\.opml" ""
	${If} $0 == "Kairos.opml"
		DeleteRegValue HKCU "${CLASSES}\.opml" ""
		DeleteRegValue HKCU "${CLASSES}\.opml" "Content Type"
	${EndIf}
	DeleteRegValue HKCU "${CLASSES}\.opml\OpenWithProgids" "Kairos.opml"
	DeleteRegKey /ifempty HKCU "${CLASSES}\.opml\OpenWithProgids"
	DeleteRegKey /ifempty HKCU "${CLASSES}\.opml"
	!insertmacro FORGET_SCHEME feed
	!insertmacro FORGET_SCHEME feeds
	DeleteRegKey HKCU "${CLASSES}\Kairos.opml"
	DeleteRegKey HKCU "${CLASSES}\Kairos.feed"
	DeleteRegKey HKCU "${CLASSES}\AppUserModelId\${ID}"
	DeleteRegValue HKCU "Software\RegisteredApplications" "Kairos"
	DeleteRegKey HKCU "Software\Kairos\Capabilities"
	DeleteRegKey /ifempty HKCU "Software\Kairos"
	DeleteRegKey HKCU "${APP_PATH}"
	DeleteRegKey HKCU "${UNINSTALL}"
	; The setting to start at login, which Kairos makes itself.
	DeleteRegValue HKCU "${RUN}" "${ID}"
	DeleteRegValue HKCU "${APPROVED}" "${ID}"

	Delete "$INSTDIR\kairos.exe"
	Delete "$INSTDIR\kairos.com"
	Delete "$INSTDIR\kairos.png"
	Delete "$INSTDIR\LICENSE.txt"
	Delete "$INSTDIR\uninstall.exe"
	RMDir "$INSTDIR"
	!insertmacro TELL_EXPLORER
	DetailPrint "$(Kept)"
SectionEnd
